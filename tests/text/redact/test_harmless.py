"""What looks like a secret and is none: a memory that eats its notes is no memory."""

from __future__ import annotations

import pytest

from treering.text.redact import clean

BLANKS = """
password: <your password>
password=$DB_PASSWORD
password=${VAR}
password=${{ secrets.DB_PASSWORD }}
password: {{ vault_password }}
password=%s
password='%s:%s' % pair
PASSWORD=%DB_PASSWORD%
password=********
password=xxxx
api_key=xxxxxxxxxxxx
api_key=YOUR_API_KEY
api_key: your-api-key-here
token=<token>
token: [hidden]
STRIPE_SECRET_KEY=sk_test_...
ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
sk-ant-your-key-goes-here-please
https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX
Authorization: Bearer <token>
Authorization: Bearer $TOKEN
curl -u $USER:$PASS https://example.org
postgres://$USER:$PASS@host/db
postgres://{user}:{password}@host/db
password: op://vault/item/field
secret: arn:aws:secretsmanager:eu-west-1:123456789012:secret:app-db-a1b2c3
password: !vault |
"""

CODE = """
password=None
password=null
password: true
password=""
password: str
def connect(user: str, password: str, token: str | None = None):
password: Optional[str] = None
password: SecretBytes
token = os.environ["TOKEN"]
password = getpass.getpass()
password = input("Password: ")
connect(user=user, password=password)
connect(password=db_pass)
login(password=pw)
self.user, self.password = user, password
username, password = pair
password = args.password1
api_key = settings.API_KEY
token = response.json()["token"]
token = next(tokens)
token = self.token
def get_token(user):
csrf_token_name
max_tokens=4096
tokens: 1234
primary_key=id
sort_key=name
cache_key = "user:0a1b2c3d4e5f60718293a4b5c6d7e8f9"
key=lambda pair: pair[1]
sorted(names, key=len)
"token": "punctuation.definition.string"
"NextToken": "eyJOZXh0VG9rZW4iOiBudWxsfQ12"
eos_token="</s>"
Token: "#d8dee9"
<input type="password" id="pw1">
private_key: ./server.key
PWD=/home/user
"password": "This field is required."
PASS: test_login1
bypass: foo123
you can pass `strict=True` here
authorization = authorization.split()
authorization = base64.decodebytes(authorization)
CREATE INDEX i ON users (password)
"""

PROSE = """
the password policy is strict
Password: must be at least 8 characters
the password is required
the password is 8 characters long
password is SHA256 hashed
I forgot my password: what do I do?
use the --password flag
use --password or --token
call it with --password twice a day
token bucket
the token is expired
send the token to 0x52908400098527886E0F7030069857D2E4169EE7
secret sauce
the secret is to keep it simple
secret: she likes 2 eggs
key: value
the key is 42
API key: see 1Password
The API key is stored in 1Password
private key is 4096 bits
xoxo-grandma-and-grandpa-love
sk-learn-pipeline-transformers-demo
-----BEGIN PRIVATE KEY----- opens it and -----END PRIVATE KEY----- closes it
the library identified by 'name'
Authorization: required for all calls
bearer of good news from Trondheim-Stadsfjorden-2
"""

NUMBERS = """
commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b
id 123e4567-e89b-12d3-a456-426614174000
sha256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
md5sum d41d8cd98f00b204e9800998ecf8427e empty.txt
data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHkq3pYd1T7i6s5g9mN bob@laptop
SSH key fingerprint is SHA256:uNiVztksCsDhcc0u9e8BrrQgLxoyLKsJxXl
EAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
-----BEGIN CERTIFICATE-----
https://example.com:8080/path
https://user@github.com/x/y
http://localhost:3000/#a@b
docker://alpine:3.18@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b
git clone git@github.com:org/repo1.git
mail bob@example.com
docker run -u 1000:1000 image
ssh -p 2222 host
mkdir -p foo/bar1
mysql -u root -p app1
2024-01-02T03:04:05Z version 1.2.3-beta4
"""

LINES = [line for table in (BLANKS, CODE, PROSE, NUMBERS) for line in table.strip().splitlines()]


@pytest.mark.parametrize("line", LINES)
def test_what_is_no_secret_stays(line: str) -> None:
    """Blanks, variables, types, code, prose, hashes and addresses are notes like any other."""
    assert clean(line) == (line, ())
    assert clean(f"Remember this: {line}\nand that.").changes == ()


@pytest.mark.parametrize(
    "text", ["Password:\nForgotten again", "api_key:\n  abc123def456 is not one", "token:\n  name: app1"]
)
def test_the_next_line_is_a_value_only_if_it_is_nothing_else(text: str) -> None:
    """A label on a line of its own may be followed by its value, and by anything else."""
    assert clean(text) == (text, ())


def test_all_of_them_in_one_text_stay_too() -> None:
    """No rule reaches from one line into the next."""
    text = "\n".join(LINES)
    assert clean(text) == (text, ())
