import type { SnippetValues } from './values'

/** A literal of PHP in which nothing but a quote and a backslash means anything. */
const word = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`

/** A web page that signs people in. No test runs it, as the tests need Node alone; the page says with what it was run by hand. */
export const phpSnippet = ({ baseUrl, clientId, redirectUri }: SnippetValues): string => `<?php
require 'vendor/autoload.php';

use Jumbojett\\OpenIDConnectClient;

$oidc = new OpenIDConnectClient(${word(`${baseUrl}/oauth`)}, ${word(clientId)}, getenv('CLIENT_SECRET'));
$oidc->setRedirectURL(${word(redirectUri)});
$oidc->addScope(['email', 'profile']); // openid goes without saying
$oidc->setCodeChallengeMethod('S256');
$oidc->authenticate(); // sends the browser away the first time, and checks the answer the second

// The claim sub names the account.
echo 'Hello, ' . htmlspecialchars($oidc->requestUserInfo('name'));
`
