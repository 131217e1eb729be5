#!/usr/bin/env python3
"""Takes the place of docker and gh: records its arguments, and answers as the commands of script/release expect it.

The environment variable RECORDER names the folder of the records and of the index that a registry would have.
"""
import json, os, shutil, sys

DIGEST = "sha256:" + "b" * 64


def main(program, *arguments):
    folder = os.environ["RECORDER"]
    with open(os.path.join(folder, "calls"), "a") as calls:
        print(json.dumps([program, *arguments]), file=calls)
    options = dict(zip(arguments, arguments[1:]))
    if "--password-stdin" in arguments and sys.stdin.read() != "secret\n":
        sys.exit("The token is not on standard input.")
    if path := options.get("--metadata-file"):
        with open(path, "w") as file:
            json.dump({"containerimage.digest": DIGEST}, file)
    if path := options.get("--notes-file"):
        shutil.copy(path, os.path.join(folder, "notes.md"))
    if ".State.Health" in options.get("--format", ""):
        print("healthy")
    if ".Config.Labels" in options.get("--format", ""):
        print('{"org.opencontainers.image.title": "Usher"}')
    if "--raw" in arguments:
        with open(os.path.join(folder, "index.json")) as file:
            print(file.read())
    if arguments[0] == "run":
        print("container")


if __name__ == "__main__":
    main(os.path.basename(sys.argv[0]), *sys.argv[1:])
