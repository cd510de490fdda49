import type { SnippetValues } from './values'

/** A literal of Rust: for what stands in addresses and ids JSON writes a text the same way. */
const word = (text: string) => JSON.stringify(text)

/** A program that signs somebody in. No test runs it, as the tests need Node alone; the page says with what it was run by hand. */
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

    // One request comes back, with the answer in its address.
    let listener = std::net::TcpListener::bind(&*redirect_uri.url().socket_addrs(|| None)?)?;
    let (mut stream, _) = listener.accept()?;
    let mut line = String::new();
    BufReader::new(&stream).read_line(&mut line)?;
    stream.write_all(b"HTTP/1.1 200 OK\\r\\n\\r\\nYou can close this window.")?;
    let answer = redirect_uri.url().join(line.split_whitespace().nth(1).unwrap_or_default())?;
    let parameter = |name: &str| answer.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned());
    if parameter("state").as_ref() != Some(state.secret()) {
        return Err("this answer is to another request".into());
    }

    let code = AuthorizationCode::new(parameter("code").ok_or("the answer holds no code")?);
    let tokens = client.exchange_code(code)?.set_pkce_verifier(verifier).request(&http)?;
    let id_token = tokens.id_token().ok_or("there is no id_token")?;
    let claims = id_token.claims(&client.id_token_verifier(), &nonce)?;
    println!("Signed in as {}", claims.subject().as_str());
    Ok(())
}
`
