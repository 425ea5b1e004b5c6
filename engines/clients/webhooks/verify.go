// Verifies a delivery by the reference library for Go: {"secret", "headers", "body"} in DELIVERY.
package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

func main() {
	var given struct {
		Secret  string
		Headers map[string]string
		Body    string
	}
	fail(json.Unmarshal([]byte(os.Getenv("DELIVERY")), &given))
	webhook, err := standardwebhooks.NewWebhook(given.Secret)
	fail(err)
	headers := http.Header{}
	for name, value := range given.Headers {
		headers.Set(name, value)
	}
	fail(webhook.Verify([]byte(given.Body), headers))
	var event struct{ Type string }
	fail(json.Unmarshal([]byte(given.Body), &event))
	fmt.Println("verified:", event.Type)
}

func fail(err error) {
	if err != nil {
		panic(err)
	}
}
