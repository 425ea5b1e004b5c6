// One walk by the client that oapi-codegen makes for Go: in, oneself, a room made, listed, and refused in words.
package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"os"
	"slices"
	"strings"
)

func main() {
	jar, err := cookiejar.New(nil)
	fail(err)
	client, err := NewClientWithResponses(os.Getenv("OFFICE"), WithHTTPClient(&http.Client{Jar: jar}))
	fail(err)
	ctx := context.Background()
	_, err = client.DevSignInWithResponse(ctx, DevSignInJSONRequestBody{})
	fail(err)
	user, err := client.GetCurrentUserWithResponse(ctx)
	fail(err)
	seats := 4
	wanted := CreateRoomJSONRequestBody{Name: "A room of Go", Seats: &seats}
	made, err := client.CreateRoomWithResponse(ctx, wanted)
	fail(err)
	room := made.JSON200.Room
	rooms, err := client.ListRoomsWithResponse(ctx)
	fail(err)
	require(slices.ContainsFunc(rooms.JSON200.Rooms, func(one ListedRoom) bool { return one.Id == room.Id }), "it is not listed")
	again, err := client.CreateRoomWithResponse(ctx, wanted)
	fail(err)
	require(again.StatusCode() == 409 && strings.Contains(string(again.Body), `"room-exists"`), string(again.Body))
	fmt.Printf("walked: %s, %s, %d seats\n", user.JSON200.Email, room.Name, *room.Seats)
}

func require(holds bool, what string) {
	if !holds {
		panic(what)
	}
}

func fail(err error) {
	if err != nil {
		panic(err)
	}
}
