import type { SnippetValues } from './values'

/**
 * Returns a string literal for a URL or an ID in Python, Go, or Rust. For these values, a JSON string has the
 * same syntax.
 */
const word = (text: string) => JSON.stringify(text)

/**
 * Returns the code of a Python web app that uses Flask and Authlib. No test runs the app, because that would
 * require Python. /docs/python-and-go lists the manually tested versions.
 */
export const pythonSnippet = ({ baseUrl, clientId, redirectUri }: SnippetValues): string => `import os

from authlib.integrations.flask_client import OAuth
from flask import Flask, Response

app = Flask(__name__)
app.secret_key = os.environ.get('SESSION_KEY') or os.urandom(32)  # signs the cookie that stores a pending sign-in

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
    user = oauth.latchkey.userinfo(token=token)
    # user['sub'] identifies the account.
    return Response(f"Hello, {user['name']} <{user['email']}>", mimetype='text/plain')


if __name__ == '__main__':
    app.run(port=4000)
`
/**
 * Returns the code of a Go web app that uses go-oidc and x/oauth2. No test runs the app, because that would
 * require Go. /docs/python-and-go lists the manually tested versions.
 */
export const goSnippet = ({ baseUrl, clientId, redirectUri }: SnippetValues): string => `package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

func main() {
	provider, err := oidc.NewProvider(context.Background(), ${word(`${baseUrl}/oauth`)})
	if err != nil {
		log.Fatal(err)
	}
	config := oauth2.Config{
		ClientID:     ${word(clientId)},
		ClientSecret: os.Getenv("CLIENT_SECRET"),
		Endpoint:     provider.Endpoint(),
		RedirectURL:  ${word(redirectUri)},
		Scopes:       []string{oidc.ScopeOpenID, "email", "profile"},
	}
	verifier := provider.Verifier(&oidc.Config{ClientID: config.ClientID})

	http.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, \`<a href="/login">Sign in</a>\`)
	})
	http.HandleFunc("GET /login", func(w http.ResponseWriter, r *http.Request) {
		state, pkce := oauth2.GenerateVerifier(), oauth2.GenerateVerifier()
		remember(w, "state", state)
		remember(w, "pkce", pkce)
		http.Redirect(w, r, config.AuthCodeURL(state, oauth2.S256ChallengeOption(pkce)), http.StatusFound)
	})
	http.HandleFunc("GET /callback", func(w http.ResponseWriter, r *http.Request) {
		state, err := r.Cookie("state")
		pkce, missing := r.Cookie("pkce")
		if err != nil || missing != nil || state.Value != r.FormValue("state") {
			http.Error(w, "This sign-in was not started in this browser.", http.StatusBadRequest)
			return
		}
		token, err := config.Exchange(r.Context(), r.FormValue("code"), oauth2.VerifierOption(pkce.Value))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		raw, _ := token.Extra("id_token").(string)
		id, err := verifier.Verify(r.Context(), raw)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		user, err := provider.UserInfo(r.Context(), oauth2.StaticTokenSource(token))
		if err != nil || user.Subject != id.Subject {
			http.Error(w, "The user could not be read.", http.StatusBadGateway)
			return
		}
		// user.Subject identifies the account.
		fmt.Fprintf(w, "Hello, %s", user.Email)
	})
	log.Fatal(http.ListenAndServe("localhost:4000", nil))
}

// remember stores a value in a cookie until the user returns.
func remember(w http.ResponseWriter, name, value string) {
	http.SetCookie(w, &http.Cookie{Name: name, Value: value, Path: "/", MaxAge: 600, HttpOnly: true, SameSite: http.SameSiteLaxMode})
}
`

/** Returns a single-quoted PHP string literal. Only single quotes and backslashes must be escaped. */
const wordOfPhp = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`

/**
 * Returns the code of a PHP page that signs users in. No test runs the page, because that would require PHP.
 * /docs/next-php-and-rust lists the manually tested versions.
 */
export const phpSnippet = ({ baseUrl, clientId, redirectUri }: SnippetValues): string => `<?php
require 'vendor/autoload.php';

use Jumbojett\\OpenIDConnectClient;

$oidc = new OpenIDConnectClient(${wordOfPhp(`${baseUrl}/oauth`)}, ${wordOfPhp(clientId)}, getenv('CLIENT_SECRET'));
$oidc->setRedirectURL(${wordOfPhp(redirectUri)});
$oidc->addScope(['email', 'profile']); // openid is added automatically
$oidc->setCodeChallengeMethod('S256');
$oidc->authenticate(); // redirects to the sign-in page first, and verifies the response when the user returns

// The claim sub identifies the account.
echo 'Hello, ' . htmlspecialchars($oidc->requestUserInfo('name'));
`
/**
 * Returns the code of a Rust program that signs a user in. No test runs the program, because that would
 * require Rust. /docs/next-php-and-rust lists the manually tested versions.
 */
export const rustSnippet = ({
  baseUrl,
  clientId,
  redirectUri,
}: SnippetValues): string => `use openidconnect::core::{CoreAuthenticationFlow, CoreClient, CoreProviderMetadata};
use openidconnect::{
    reqwest, AuthorizationCode, ClientId, ClientSecret, CsrfToken, IssuerUrl, Nonce, PkceCodeChallenge, RedirectUrl, Scope,
    TokenResponse,
};
use std::io::{BufRead, BufReader, Write};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let http = reqwest::blocking::ClientBuilder::new().redirect(reqwest::redirect::Policy::none()).build()?;
    let issuer = IssuerUrl::new(${word(`${baseUrl}/oauth`)}.to_string())?;
    let redirect_uri = RedirectUrl::new(${word(redirectUri)}.to_string())?;
    let client = CoreClient::from_provider_metadata(
        CoreProviderMetadata::discover(&issuer, &http)?,
        ClientId::new(${word(clientId)}.to_string()),
        Some(ClientSecret::new(std::env::var("CLIENT_SECRET")?)),
    )
    .set_redirect_uri(redirect_uri.clone());

    let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
    let (address, state, nonce) = client
        .authorize_url(CoreAuthenticationFlow::AuthorizationCode, CsrfToken::new_random, Nonce::new_random)
        .add_scope(Scope::new("email".to_string()))
        .add_scope(Scope::new("profile".to_string()))
        .set_pkce_challenge(challenge)
        .url();
    println!("Open {address}");

    // Accept one request, whose URL contains the response.
    let listener = std::net::TcpListener::bind(&*redirect_uri.url().socket_addrs(|| None)?)?;
    let (mut stream, _) = listener.accept()?;
    let mut line = String::new();
    BufReader::new(&stream).read_line(&mut line)?;
    stream.write_all(b"HTTP/1.1 200 OK\\r\\n\\r\\nYou can close this window.")?;
    let answer = redirect_uri.url().join(line.split_whitespace().nth(1).unwrap_or_default())?;
    let parameter = |name: &str| answer.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned());
    if parameter("state").as_ref() != Some(state.secret()) {
        return Err("the response belongs to another request".into());
    }

    let code = AuthorizationCode::new(parameter("code").ok_or("the response contains no code")?);
    let tokens = client.exchange_code(code)?.set_pkce_verifier(verifier).request(&http)?;
    let id_token = tokens.id_token().ok_or("the response contains no ID token")?;
    let claims = id_token.claims(&client.id_token_verifier(), &nonce)?;
    println!("Signed in as {}", claims.subject().as_str());
    Ok(())
}
`
