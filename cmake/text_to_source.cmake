# cmake -DTEXT=FILE -DSOURCE=FILE.cpp -P text_to_source.cmake: a text as the constant that the program prints.
file(READ ${TEXT} text)
file(WRITE ${SOURCE} "namespace ls::app {\nextern const char* const scene_schema_text;\n"
     "const char* const scene_schema_text = R\"json(${text})json\";\n}  // namespace ls::app\n")
