#pragma once
#include "base/parallel.h"
#include "picture/field_picture.h"
#include "picture/picture.h"
#include "terms/dipoles/magnetic_field.h"

namespace ls {

// Sources are bodies and the magnets of fields; lines end at dipoles. field and team must outlive it.
FieldPicture take_field_picture(const MagneticField& field, const Snapshot& shot,
                                std::span<const PictureMagnet> magnets, int lines, Team& team);

}  // namespace ls
