// The provider that zitadel/oidc shows as its example, with one person, and one client of addresses on this machine.
package main

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"os"

	"github.com/zitadel/oidc/v3/example/server/exampleop"
	"github.com/zitadel/oidc/v3/example/server/storage"
	"github.com/zitadel/oidc/v3/pkg/op"
	"golang.org/x/text/language"
)

const domain = "zitadel.example"

type people map[string]*storage.User

func (people) ExampleClientID() string                      { return "service" }
func (all people) GetUserByID(id string) *storage.User      { return all[id] }
func (all people) GetUserByUsername(id string) *storage.User { return all[id] }

type registrations struct{ *storage.Storage }

func (all registrations) GetClientByClientID(ctx context.Context, id string) (op.Client, error) {
	client, err := all.Storage.GetClientByClientID(ctx, id)
	return office{client}, err
}

// The example's clients have no address for sign-outs.
type office struct{ op.Client }

func (office) RedirectURIGlobs() []string           { return []string{"http://localhost:*/**"} }
func (office) PostLogoutRedirectURIGlobs() []string { return []string{"http://localhost:*/"} }

func main() {
	port := os.Getenv("PORT")
	storage.RegisterClients(storage.WebClient("web", "secret"))
	ada := &storage.User{
		ID: "ada", Username: "ada", Password: "password", FirstName: "Ada", LastName: "Lovelace",
		Email: "ada@" + domain, EmailVerified: true, PreferredLanguage: language.English,
	}
	store := registrations{storage.NewStorage(people{"ada": ada})}
	quiet := slog.New(slog.DiscardHandler)
	router := exampleop.SetupServer(fmt.Sprintf("http://localhost:%s/", port), store, quiet, false)
	panic(http.ListenAndServe("127.0.0.1:"+port, router))
}
