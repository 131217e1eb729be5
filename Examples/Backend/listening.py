"""The command-line options, the start and the end of an example backend."""
import os, sys, threading, time


def add_options(parser, port):
    parser.add_argument("--port", type=int, default=port, help="0 lets the system choose (default: %(default)s)")
    parser.add_argument("--or-other-port", action="store_true", help="lets the system choose if the port is taken")
    parser.add_argument("--with-parent", action="store_true", help="ends with the process that started it")


def listen(options, make):
    """Makes the server of a port, prints its address, and serves until the process is interrupted."""
    if options.with_parent:
        threading.Thread(target=end_with_parent, args=(os.getppid(),), daemon=True).start()
    try:
        try:
            server = make(options.port)
        except OSError:
            if not options.or_other_port:
                raise
            server = make(0)
    except OSError as error:
        sys.exit(f"The backend cannot listen on port {options.port}: {error.strerror}.")
    print(f"http://127.0.0.1:{server.server_address[1]}", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass


def end_with_parent(parent):
    while os.getppid() == parent:
        time.sleep(0.2)
    os._exit(0)
