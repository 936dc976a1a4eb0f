#!/usr/bin/python3
"""Fail when code that runs on every CPU uses instructions that only some have.

The hot loops are compiled once per vector width, in namespaces of their own (ls::avx2, ls::avx512), and chosen at
start. If a function outside them uses AVX registers or instructions, an older CPU dies of it. That happens when a file
compiled for AVX holds an inline function that is not in its namespace: the linker keeps one copy for all.

usage: tools/check_wide_registers.py [--expect ISA...] FILE... [--expect ISA...]
FILE is a program, a library or an object. --expect avx2 fails, too, when ls::avx2 holds no such instruction in
any of them.
"""
import argparse
import re
import subprocess
import sys

# A function is wide by right when its name holds one of the namespaces or a vector type only they have.
WIDE_NAME = re.compile(
    r"\bls::(avx2|avx512)::|\b_VecBuiltin<(32|64)>|\b_VecBltnBtmsk<"
    r"|\b_SimdWrapper<double, [48]ul|\b__vector_broadcast<[48]ul, double>|\bdouble __vector\([48]\)"
)

SYMBOL = re.compile(r"^[0-9a-f]+ <(.*)>:$")
INSTRUCTION = re.compile(r"^\s*[0-9a-f]+:\t(.*)$")
WIDE_REGISTER = re.compile(r"%[yz]mm\d|%k[0-7]\b")
# VEX and EVEX encodings: the v-mnemonics, mask operations, and BMI. Not: verr, verw and those for virtual machines.
WIDE_MNEMONIC = re.compile(
    r"(?:v(?!err$|erw$|m(?:call|launch|resume|xo|ptr|read|write|clear|func|mcall|run|load|save))|k[a-z]{2}"
    r"|(?:andn|bextr|blsi|blsmsk|blsr|bzhi|mulx|pdep|pext|rorx|sarx|shlx|shrx)[lq]?$)"
)
PREFIXES = {"lock", "rep", "repz", "repnz", "bnd", "notrack", "data16", "cs", "ds", "es", "fs", "gs", "ss", "addr32"}


def is_wide(instruction):
    words = instruction.split("#")[0].split("<")[0].split()
    while words and (words[0] in PREFIXES or words[0].startswith("rex")):
        words = words[1:]
    if not words:
        return False
    return bool(WIDE_MNEMONIC.match(words[0]) or WIDE_REGISTER.search(" ".join(words[1:])))


def disassemble(path):
    command = ["objdump", "-d", "-C", "--no-show-raw-insn", "-w", path]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, errors="replace") as process:
        yield from process.stdout
    if process.returncode:
        sys.exit(f"{path}: objdump failed")


def wide_functions(path):
    """Name of each function with such instructions -> how many it has and the first of them."""
    wide, symbol, symbols = {}, None, 0
    for line in disassemble(path):
        name = SYMBOL.match(line)
        if name:
            symbol = name.group(1)
            symbols += 1
            continue
        instruction = INSTRUCTION.match(line)
        if instruction and is_wide(instruction.group(1)):
            count, first = wide.get(symbol, (0, " ".join(instruction.group(1).split())))
            wide[symbol] = (count + 1, first)
    if symbols == 0:
        sys.exit(f"{path}: no code in it")
    return wide


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--expect", nargs="*", default=[], metavar="ISA")
    arguments = parser.parse_args()

    failed, seen = False, []
    for path in arguments.files:
        wide = wide_functions(path)
        seen += wide
        for name, (count, first) in wide.items():
            if not WIDE_NAME.search(name):
                failed = True
                print(f"{path}: {name}: {count} wide instructions, the first is `{first}`")
    for isa in arguments.expect:
        if not any(f"ls::{isa}::" in name for name in seen):
            failed = True
            print(f"no wide instruction in ls::{isa}: was it compiled for {isa}?")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
