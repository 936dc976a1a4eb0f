import math
import pathlib

import numpy as np
from scenes import ROOT, Case, main, rod

import lodestone


class Scenes(Case):
    def bytes_of(self, scene, name, **options):
        run = scene.run(self.folder / name, progress=False, **options)
        frames = sorted((run.folder / "frames").glob("*.h5"))
        self.assertGreater(len(frames), 2)
        return (run.folder / "probes.csv").read_bytes(), [f.read_bytes() for f in frames]

    def test_made_in_python_and_its_text_give_the_same_bits(self):
        made = rod("explicit", bonds=8)
        made.solver(dt=1 / 30000, duration=math.pi / 1e3)  # numbers without a short form
        data = made.to_dict()
        del data["stage"][0]["duration"]
        del data["solver"]["duration"]
        data["stage"][0]["duration"] = math.pi / 1e3
        made = lodestone.Scene(data)
        file = self.folder / "scene.toml"
        made.save(file)
        self.assertEqual(self.bytes_of(made, "made"), self.bytes_of(lodestone.Scene.from_file(file), "read"))

    def test_every_scene_file_survives_a_dictionary(self):
        for file in sorted((ROOT / "scenes").glob("*.toml")):
            scene = lodestone.Scene.from_file(file)
            again = lodestone.Scene(scene.to_dict())
            self.assertEqual(again.to_toml(), scene.to_toml(), file)

    def test_numbers_keep_their_bits_and_kinds(self):
        numbers = [1, 1.0, -0.0, 1e22, 0.1, 5e-324, 1 / 3, 2**62, True]
        scene = lodestone.Scene(define={"a": numbers})
        (self.folder / "n.toml").write_text(scene.to_toml())
        back = lodestone.Scene.from_file(self.folder / "n.toml").to_dict()["define"]["a"]
        self.assertEqual([(type(a), str(a)) for a in back], [(type(a), str(a)) for a in numbers])

    def test_numpy_and_paths_are_taken(self):
        scene = lodestone.Scene(define={"a": np.float64(0.1), "n": np.int32(3), "v": np.array([1.0, 2.0]),
                                        "f": pathlib.Path("a") / "b", "yes": np.bool_(True)})
        self.assertEqual(scene.to_dict()["define"], {"a": 0.1, "n": 3, "v": [1.0, 2.0], "f": "a/b", "yes": True})

    def test_errors_tell_the_path_of_the_key(self):
        error = self.refused(lambda: rod().set("rod.rod.bonds", -3).check(), "rod.rod.bonds: found -3",
                             "a whole number")
        self.assertEqual((error.key, error.line, error.file), ("rod.rod.bonds", 0, ""))
        two = rod()
        two.rod(material="soft", section={"diameter": "1 mm"}, bonds=0,
                line={"from": [0, "1 cm", 0], "to": ["30 mm", "1 cm", 0]})
        self.assertEqual(self.refused(two.check, "found 0").key, "rod[1].bonds")
        two.set("rod[1].bonds", 4)
        two.check()
        self.refused(lambda: rod().solver(knd="static").check(), "unknown key `knd`", "did you mean `kind`")
        self.refused(lambda: rod().set("rod.beam.bonds", 3), "there is nothing named `beam`", "rod.beam.bonds")
        self.refused(lambda: lodestone.Scene().check(), "nothing to simulate")

    def test_errors_of_a_file_tell_the_line(self):
        file = self.folder / "bad.toml"
        file.write_text(rod().to_toml().replace("bonds = 20", "bonds = -20"))
        line = 1 + file.read_text().split("bonds = -20")[0].count("\n")
        error = self.refused(lodestone.Scene.from_file(file).check, "found -20", f"bad.toml:{line}:")
        self.assertEqual((error.file, error.line, error.key), (str(file), line, "rod.rod.bonds"))
        self.refused(lambda: lodestone.Scene.from_file(self.folder / "none.toml"), "there is no such file")

    def test_what_is_no_value_is_refused(self):
        for value, words in [(None, "found None"), (print, "found a function"), (object(), "found a object"),
                             (2**64, "64 bits"), ({1: 2}, "no text"), (1j, "found a complex")]:
            self.refused(lambda v=value: rod().set("rod.rod.bonds", v), "rod.rod.bonds", words)
        endless = []
        endless.append(endless)
        self.refused(lambda: lodestone.Scene(define={"a": endless}), "100 deep")
        self.refused(lambda: lodestone.Scene([1]), "found a list")

    def test_a_copy_is_another(self):
        one = rod()
        other = one.copy().set("rod.rod.bonds", 7)
        self.assertEqual((one.check()["bonds"], other.check()["bonds"]), (20, 7))

    def test_check_tells_what_a_run_would_take(self):
        facts = rod("explicit").check()
        self.assertEqual((facts["nodes"], facts["bonds"]), (21, 20))
        self.assertAlmostEqual(facts["time"], 0.02)
        self.assertLess(facts["dt"], facts["critical_step"])


if __name__ == "__main__":
    main()
