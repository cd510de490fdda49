import type { SnippetValues } from './values'

/** A literal of Python: JSON writes a text the same way. */
const word = (text: string) => JSON.stringify(text)

/** A web app with Flask and Authlib. No test runs it, as the tests need Node alone; the page says with what it was run by hand. */
export const pythonSnippet = ({ baseUrl, clientId, redirectUri }: SnippetValues): string => `import os

from authlib.integrations.flask_client import OAuth
from flask import Flask, Response

app = Flask(__name__)
app.secret_key = os.environ.get('SESSION_KEY') or os.urandom(32)  # signs the cookie that remembers a sign-in under way

oauth = OAuth(app)
oauth.register(
    'latchkey',
    client_id=${word(clientId)},
    client_secret=os.environ['CLIENT_SECRET'],
    server_metadata_url=${word(`${baseUrl}/oauth/.well-known/openid-configuration`)},
    client_kwargs={'scope': 'openid email profile', 'code_challenge_method': 'S256'},
)


@app.get('/')
def home():
    return '<a href="/login">Sign in</a>'


@app.get('/login')
def login():
    return oauth.latchkey.authorize_redirect(${word(redirectUri)})


@app.get('/callback')
def callback():
    token = oauth.latchkey.authorize_access_token()  # checks state, PKCE and the id_token
    person = oauth.latchkey.userinfo(token=token)
    # person['sub'] names the account.
    return Response(f"Hello, {person['name']} <{person['email']}>", mimetype='text/plain')


if __name__ == '__main__':
    app.run(port=4000)
`
