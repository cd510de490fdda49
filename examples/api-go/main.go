// A deployment API behind Latchkey, with go-oidc. The API accepts opaque tokens and JWTs.
//
//	ISSUER=http://localhost:3000/oauth IDENTIFIER=https://deployments.example.com API_ID=... API_SECRET=... go run .
package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/coreos/go-oidc/v3/oidc"
)

// A grant is one of the authorization_details (RFC 9396): a resource that the user selected, with the user's role.
type grant struct{ Type, Identifier, Role string }

type claims struct {
	Active  bool    `json:"active"`
	Subject string  `json:"sub"`
	Scope   string  `json:"scope"`
	Grants  []grant `json:"authorization_details"`
}

type api struct {
	issuer, identifier, id, secret, introspection string
	verifier                                      *oidc.IDTokenVerifier
}

// claimsOf returns the claims of an active token for this API, or nil.
func (a *api) claimsOf(ctx context.Context, token string) (*claims, error) {
	if strings.Count(token, ".") != 2 {
		return a.introspect(ctx, token)
	}
	// go-oidc does not check typ, but an ID token must not be accepted as an access token.
	if typeOf(token) != "at+jwt" {
		return nil, nil
	}
	verified, err := a.verifier.Verify(ctx, token)
	if err != nil {
		return nil, nil
	}
	var found claims
	if err := verified.Claims(&found); err != nil {
		return nil, err
	}
	if slices.ContainsFunc(found.Grants, func(g grant) bool { return g.Type == "incomplete" }) {
		return a.introspect(ctx, token)
	}
	return &found, nil
}

// typeOf returns the typ header of a JWT.
func typeOf(token string) string {
	head, _, _ := strings.Cut(token, ".")
	var header struct {
		Type string `json:"typ"`
	}
	if raw, err := base64.RawURLEncoding.DecodeString(head); err == nil {
		_ = json.Unmarshal(raw, &header)
	}
	return header.Type
}

// introspect requests the claims of a token from the server (RFC 7662).
func (a *api) introspect(ctx context.Context, token string) (*claims, error) {
	body := strings.NewReader(url.Values{"token": {token}}.Encode())
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, a.introspection, body)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.SetBasicAuth(a.id, a.secret)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("introspection failed: %s", answer.Status)
	}
	var found claims
	if err := json.NewDecoder(answer.Body).Decode(&found); err != nil {
		return nil, err
	}
	if !found.Active {
		return nil, nil
	}
	return &found, nil
}

// refuse responds with an RFC 6750 error.
func (a *api) refuse(w http.ResponseWriter, status int, code string) {
	challenge := fmt.Sprintf(`resource_metadata="%s/.well-known/oauth-protected-resource"`, a.identifier)
	if code != "" {
		challenge = fmt.Sprintf(`error="%s", %s`, code, challenge)
	}
	w.Header().Set("WWW-Authenticate", "Bearer "+challenge)
	w.WriteHeader(status)
}

func (a *api) deploy(w http.ResponseWriter, r *http.Request) {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "bearer") || token == "" {
		a.refuse(w, http.StatusUnauthorized, "")
		return
	}
	found, err := a.claimsOf(r.Context(), token)
	if err != nil {
		log.Print(err)
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	if found == nil {
		a.refuse(w, http.StatusUnauthorized, "invalid_token")
		return
	}
	project := r.PathValue("id")
	mayDeploy := slices.Contains(strings.Fields(found.Scope), "deployments:write") &&
		slices.ContainsFunc(found.Grants, func(g grant) bool { return g.Identifier == project && g.Role != "viewer" })
	if !mayDeploy {
		a.refuse(w, http.StatusForbidden, "insufficient_scope")
		return
	}
	respond(w, http.StatusCreated, map[string]any{"deployed": project, "by": found.Subject})
}

// metadata responds with the RFC 9728 document, which contains the address of the authorization server.
func (a *api) metadata(w http.ResponseWriter, _ *http.Request) {
	respond(w, http.StatusOK, map[string]any{
		"resource":                 a.identifier,
		"authorization_servers":    []string{a.issuer},
		"scopes_supported":         []string{"deployments:write"},
		"bearer_methods_supported": []string{"header"},
	})
}

func respond(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

func main() {
	a := &api{
		issuer:     os.Getenv("ISSUER"),
		identifier: os.Getenv("IDENTIFIER"),
		id:         os.Getenv("API_ID"),
		secret:     os.Getenv("API_SECRET"),
	}
	provider, err := oidc.NewProvider(context.Background(), a.issuer)
	if err != nil {
		log.Fatal(err)
	}
	var endpoints struct {
		Introspection string `json:"introspection_endpoint"`
	}
	if err := provider.Claims(&endpoints); err != nil {
		log.Fatal(err)
	}
	a.introspection = endpoints.Introspection
	a.verifier = provider.Verifier(&oidc.Config{ClientID: a.identifier})

	mux := http.NewServeMux()
	mux.HandleFunc("POST /projects/{id}/deployments", a.deploy)
	mux.HandleFunc("GET /.well-known/oauth-protected-resource", a.metadata)
	port := os.Getenv("PORT")
	if port == "" {
		port = "4100"
	}
	fmt.Printf("Deployment API: http://127.0.0.1:%s\n", port)
	log.Fatal(http.ListenAndServe("127.0.0.1:"+port, mux))
}
