"""What the scenarios share: where they work, how they check, and a proxy that counts what a client sends.

A scenario is a script that talks to the server through an unmodified client and checks what its user would see. It
prints each check and, when all have passed, their number. The first that fails ends it.
"""

import atexit
import http.client
import http.server
import os
import subprocess
import sys
import threading
import urllib.parse

import numpy as np

ENDPOINT = os.environ["HS_ENDPOINT"]
FOLDER = os.environ["HYPERSLAB_TEST_FOLDER"]

_checks = 0


def check(what, holds, seen=""):
    """Ends the scenario unless this holds."""
    global _checks
    if not holds:
        raise AssertionError(f"{what}: {seen}")
    _checks += 1
    print("ok", what, flush=True)


def equal(what, got, expected):
    """Equal values of equal type and shape, NaN being equal to NaN."""
    if isinstance(expected, np.ndarray):
        same = isinstance(got, np.ndarray) and got.dtype == expected.dtype and got.shape == expected.shape
        same = same and same_elements(got, expected)
    elif isinstance(expected, (float, np.floating)) and expected != expected:
        same = got != got
    else:
        same = type(got) is type(expected) or isinstance(got, (int, float, np.generic))
        same = same and bool(np.all(got == expected))
    check(what, same, f"got {got!r}, expected {expected!r}")


def same_elements(got, expected):
    if expected.dtype.hasobject:
        pairs = zip(got.ravel().tolist(), expected.ravel().tolist())
        return all(np.array_equal(a, b) if isinstance(b, np.ndarray) else a == b for a, b in pairs)
    return got.tobytes() == expected.tobytes()


def raises(what, kind, function, errno=None):
    """The call raises an error of this kind, and with this number if one is given."""
    try:
        value = function()
    except kind as error:
        seen = error.args[0] if error.args else None
        check(what, errno is None or seen == errno, f"raised {error!r}, expected the number {errno}")
        return error
    raise AssertionError(f"{what}: raised nothing, returned {value!r}")


def missing(what):
    """Ends the scenario as one that cannot run here, saying why."""
    print(what, flush=True)
    atexit.unregister(_tell)
    sys.exit(77)


def program(name, *arguments, status=0, user="test_user1", password="test", endpoint=None, folder=None):
    """Runs one of h5pyd's command-line programs, in a folder; returns what it printed on standard output and error."""
    environment = {**os.environ, "HS_USERNAME": user, "HS_PASSWORD": password, "HS_ENDPOINT": endpoint or ENDPOINT}
    start = f"import sys; sys.argv[0] = {name!r}; from h5pyd._apps.{name} import main; main()"
    command = [sys.executable, "-B", "-c", start, *arguments]
    ended = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=folder, timeout=200)
    printed = ended.stdout.decode()
    line = " ".join([name, *arguments])
    if status is not None:
        check(f"{line} ends with {status}", ended.returncode == status, f"{ended.returncode}: {printed}")
    return printed


class Proxy:
    """Hands every request on to the server, and remembers each as (method, target, status)."""

    def __init__(self, largest=None):
        """Bodies of requests and answers above `largest` bytes get 413, as from a server with that limit."""
        self.requests = []
        server = urllib.parse.urlsplit(ENDPOINT)
        seen = self.requests

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def hand_on(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                status, reason, headers, answer = 413, "Request Entity Too Large", [], b""
                if largest is None or len(body) <= largest:
                    upstream = http.client.HTTPConnection(server.hostname, server.port)
                    upstream.request(self.command, self.path, body, dict(self.headers))
                    reply = upstream.getresponse()
                    answer = reply.read()
                    upstream.close()
                    if largest is None or len(answer) <= largest:
                        status, reason, headers = reply.status, reply.reason, reply.getheaders()
                    else:
                        answer = b""
                seen.append((self.command, self.path, status))
                self.send_response_only(status, reason)
                for name, value in headers:
                    if name.lower() not in ("content-length", "transfer-encoding", "connection"):
                        self.send_header(name, value)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            do_GET = do_PUT = do_POST = do_DELETE = hand_on

            def log_message(self, *_):
                pass

        listener = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        listener.daemon_threads = True
        threading.Thread(target=listener.serve_forever, daemon=True).start()
        self.endpoint = f"http://127.0.0.1:{listener.server_port}"

    def since(self, count):
        """The requests after the first `count`."""
        return self.requests[count:]


def _tell():
    if _checks > 0 and not getattr(sys, "last_type", None):
        print(f"{_checks} checks", flush=True)


atexit.register(_tell)
