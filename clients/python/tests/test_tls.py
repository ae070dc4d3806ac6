"""TLS: the service's certificate and name are checked, and nothing is sent before."""

import shutil
import ssl
import subprocess
import tempfile
import unittest
from pathlib import Path

from disclosure_receipts import Client

from .support.service import API_KEY, Served, ServiceTest, disclosure

# A certificate of nobody's authority but its own, for this name and no address.
SELF_SIGNED = (
    "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost "
    "-addext subjectAltName=DNS:localhost -keyout key.pem -out certificate.pem"
)


@unittest.skipUnless(shutil.which("openssl"), "openssl, which makes the certificate, is not here")
class AServiceWithTls(ServiceTest):
    def setUp(self) -> None:
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.folder = Path(made.name)
        subprocess.run(["openssl", *SELF_SIGNED.split()], cwd=self.folder, capture_output=True, check=True)

    def served(self) -> tuple[Served, int]:
        served = self.serve()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.folder / "certificate.pem", self.folder / "key.pem")
        served.socket = context.wrap_socket(served.socket, server_side=True)
        return served, served.server_address[1]

    def trusting(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=str(self.folder / "certificate.pem"))

    def test_is_believed_with_a_certificate_that_the_caller_trusts(self) -> None:
        _, port = self.served()
        client = Client(f"https://localhost:{port}", API_KEY, tls=self.trusting())
        self.assertEqual(client.attest(disclosure())["receipts"][0]["verdict"], "ALLOW")

    def test_is_sent_nothing_where_its_certificate_is_a_strangers_or_anothers(self) -> None:
        served, port = self.served()
        stranger = Client(f"https://localhost:{port}", API_KEY, attempts=1)
        other_name = Client(f"https://127.0.0.1:{port}", API_KEY, attempts=1, tls=self.trusting())
        for client in (stranger, other_name):
            error = self.failure("undeliverable", client.attest, disclosure())
            self.assertIsInstance(error.__cause__, ssl.SSLCertVerificationError)
        self.assertEqual(served.calls, [])


if __name__ == "__main__":
    unittest.main()
