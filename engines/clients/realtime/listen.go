// Connects as centrifuge-go does, says so, and tells the first event of a room's making. Argument: json or protobuf.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/centrifugal/centrifuge-go"
)

func main() {
	open := centrifuge.NewJsonClient
	if os.Args[1] == "protobuf" {
		open = centrifuge.NewProtobufClient
	}
	client := open(os.Getenv("URL"), centrifuge.Config{Token: os.Getenv("TOKEN")})
	heard := make(chan string, 8)
	client.OnConnected(func(centrifuge.ConnectedEvent) { fmt.Println("connected") })
	client.OnPublication(func(event centrifuge.ServerPublicationEvent) {
		var envelope struct {
			Type string
			Data struct{ Name string }
		}
		if json.Unmarshal(event.Data, &envelope) == nil && envelope.Type == "room.created" {
			heard <- envelope.Data.Name
		}
	})
	if err := client.Connect(); err != nil {
		panic(err)
	}
	select {
	case name := <-heard:
		fmt.Println("heard:", name)
	case <-time.After(30 * time.Second):
		panic("nothing was heard")
	}
}
