"""The archive of an executable. The environment variable USHER names it; a small program takes its place otherwise."""
import hashlib, os, shutil, stat, subprocess, tarfile, tempfile, unittest
from cases import ReleaseTestCase
from repository import ROOT, TIME, VERSION, VERSION_FILE, Repository

DOCUMENTS = ("CHANGELOG.md", "LICENSE", "README.md", "openapi.yaml")


def compile_program(*options):
    """Returns the path of a program that takes the place of the service."""
    folder = tempfile.mkdtemp()
    unittest.addModuleCleanup(shutil.rmtree, folder)
    program = os.path.join(folder, "program")
    source = os.path.join(ROOT, "Tests", "Release", "program.c")
    subprocess.run(["clang", "-g", f'-DVERSION="{VERSION}"', "-o", program, source, *options], check=True)
    return program


class Archive(ReleaseTestCase):
    @classmethod
    def setUpClass(cls):
        if usher := os.environ.get("USHER"):
            version = subprocess.run([usher, "--version"], check=True, capture_output=True, text=True).stdout.strip()
            cls.usher, cls.version = usher, version
        else:
            cls.usher, cls.version = compile_program(), VERSION

    def setUp(self):
        self.repository = Repository(self, self.version)

    def pack(self, usher=None, **options):
        """Returns the path of a new archive."""
        folder = self.folder()
        self.require(self.repository.release("archive", folder, usher or self.usher, **options))
        name, = os.listdir(folder)
        return os.path.join(folder, name)

    def test_it_contains_the_executable_and_the_documents(self):
        path = self.pack()
        top = f"usher-{self.version}-linux-{os.uname().machine}"
        self.assertEqual(os.path.basename(path), f"{top}.tar.gz")
        with tarfile.open(path) as archive:
            members = archive.getmembers()
            self.assertEqual(
                [member.name for member in members], [top, *(f"{top}/{name}" for name in (*DOCUMENTS, "usher"))])
            for member in members:
                self.assertEqual((member.uid, member.gid, member.uname, member.mtime), (0, 0, "", TIME), member.name)
                executable = member.name in (top, f"{top}/usher")
                self.assertEqual(stat.S_IMODE(member.mode), 0o755 if executable else 0o644, member.name)
            archive.extractall(os.path.dirname(path))
        unpacked = os.path.join(os.path.dirname(path), top)
        for name in DOCUMENTS:
            with open(os.path.join(unpacked, name)) as file:
                self.assertEqual(file.read(), self.repository.read(name))
        command = ["readelf", "--sections", os.path.join(unpacked, "usher")]
        sections = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        self.assertIn(" .text ", sections)
        self.assertNotIn(" .symtab ", sections)

    def test_its_bytes_depend_on_the_executable_and_the_commit_alone(self):
        def digest(path):
            with open(path, "rb") as file:
                return hashlib.sha256(file.read()).hexdigest()

        first = digest(self.pack())
        for name in DOCUMENTS:
            os.chmod(self.repository.path(name), 0o600)
            os.utime(self.repository.path(name), (0, 0))
        self.assertEqual(digest(self.pack(umask=0o077, environment={"TZ": "Asia/Tokyo", "LC_ALL": "C.UTF-8"})), first)

    def test_its_executable_serves(self):
        output = self.require(self.repository.release("try", self.pack()))
        self.assertIn(f"has the version {self.version}, and serves", output)

    def test_an_executable_of_another_version_fails(self):
        path = self.pack()
        self.repository.replace(VERSION_FILE, f'"{self.version}"', '"9.9.9"')
        result = self.repository.release("try", path)
        self.require_failure(result, f"has the version {self.version}, and {VERSION_FILE} has 9.9.9")

    def test_an_executable_that_does_not_serve_fails(self):
        self.repository = Repository(self)
        path = self.pack(compile_program('-DSERVE="another command"'))
        self.require_failure(self.repository.release("try", path), "does not start")

    def test_an_executable_with_libraries_of_swift_fails(self):
        folder = self.folder()
        library = os.path.join(folder, "libswiftCore.so")
        subprocess.run(["clang", "-shared", "-o", library, "-x", "c", os.devnull], check=True)
        program = compile_program("-Wl,--no-as-needed", f"-L{folder}", "-lswiftCore")
        result = self.repository.release("archive", folder, program)
        self.require_failure(result, "needs the libraries of Swift: libswiftCore.so. Build it with")

    def test_a_file_that_is_not_an_executable_fails(self):
        result = self.repository.release("archive", self.folder(), self.repository.path("LICENSE"))
        self.require_failure(result, "is not an executable for aarch64 x86_64")


if __name__ == "__main__":
    unittest.main()
