import type { SnippetValues } from './values'

/** A literal of Go: JSON writes a text the same way. */
const word = (text: string) => JSON.stringify(text)

/** A web app with go-oidc and x/oauth2. No test runs it, as the tests need Node alone; the page says with what it was run by hand. */
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
			http.Error(w, "This sign-in was not started here.", http.StatusBadRequest)
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
		person, err := provider.UserInfo(r.Context(), oauth2.StaticTokenSource(token))
		if err != nil || person.Subject != id.Subject {
			http.Error(w, "The person could not be read.", http.StatusBadGateway)
			return
		}
		// person.Subject names the account.
		fmt.Fprintf(w, "Hello, %s", person.Email)
	})
	log.Fatal(http.ListenAndServe("localhost:4000", nil))
}

// remember keeps, in this browser alone, what to check when it comes back.
func remember(w http.ResponseWriter, name, value string) {
	http.SetCookie(w, &http.Cookie{Name: name, Value: value, Path: "/", MaxAge: 600, HttpOnly: true, SameSite: http.SameSiteLaxMode})
}
`
