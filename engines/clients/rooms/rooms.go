// What a backend in Go does with LiveKit's SDK: two people in a room of the office, and the API of the media server about it.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/livekit/protocol/livekit"
	"github.com/livekit/protocol/logger"
	lksdk "github.com/livekit/server-sdk-go/v2"
	"github.com/pion/webrtc/v4"
	"github.com/pion/webrtc/v4/pkg/media"
	"github.com/twitchtv/twirp"
)

const within = 30 * time.Second

// A silent frame of Opus, of 20 ms.
var frame = []byte{0xf8, 0xff, 0xfe}

func main() {
	lksdk.SetLogger(logger.GetDiscardLogger())
	rooms := lksdk.NewRoomServiceClient(os.Getenv("MEDIA"), os.Getenv("KEY"), os.Getenv("SECRET"))
	callTheApi(rooms)
	meet(rooms, os.Getenv("ROOM"))
	fmt.Println("all of it")
}

func callTheApi(rooms *lksdk.RoomServiceClient) {
	ctx := context.Background()
	room, err := rooms.CreateRoom(ctx, &livekit.CreateRoomRequest{Name: "go", Metadata: "tea"})
	must(err)
	listed, err := rooms.ListRooms(ctx, &livekit.ListRoomsRequest{Names: []string{"go"}})
	must(err)
	same(len(listed.Rooms), 1)
	same(listed.Rooms[0].Sid, room.Sid)
	changed, err := rooms.UpdateRoomMetadata(ctx, &livekit.UpdateRoomMetadataRequest{Room: "go", Metadata: "coffee"})
	must(err)
	same(changed.Metadata, "coffee")
	nobody := &livekit.RoomParticipantIdentity{Room: "go", Identity: "nobody"}
	_, err = rooms.GetParticipant(ctx, nobody)
	refused(twirp.NotFound, err)
	_, err = rooms.RemoveParticipant(ctx, nobody)
	refused(twirp.NotFound, err)
	_, err = rooms.CreateRoom(ctx, &livekit.CreateRoomRequest{})
	refused(twirp.InvalidArgument, err)
	_, err = lksdk.NewRoomServiceClient(os.Getenv("MEDIA"), os.Getenv("KEY"), "another secret of thirty-two letters").
		ListRooms(ctx, &livekit.ListRoomsRequest{})
	refused(twirp.Unauthenticated, err)
	_, err = rooms.DeleteRoom(ctx, &livekit.DeleteRoomRequest{Room: "go"})
	must(err)
	_, err = rooms.DeleteRoom(ctx, &livekit.DeleteRoomRequest{Room: "go"})
	refused(twirp.NotFound, err)
}

// Ada speaks and writes, Grace hears and answers; the API sees both, speaks to them, mutes one and puts the other out.
func meet(rooms *lksdk.RoomServiceClient, name string) {
	ctx := context.Background()
	heard, told, out := make(chan []byte, 1_000), make(chan string, 100), make(chan lksdk.DisconnectionReason, 1)
	ada := enter(os.Getenv("ADA"), lksdk.NewRoomCallback())
	listening := lksdk.NewRoomCallback()
	listening.OnTrackSubscribed = func(track *webrtc.TrackRemote, _ *lksdk.RemoteTrackPublication, _ *lksdk.RemoteParticipant) {
		for {
			packet, _, err := track.ReadRTP()
			if err != nil {
				return
			}
			select {
			case heard <- packet.Payload:
			default:
			}
		}
	}
	listening.OnDataPacket = func(data lksdk.DataPacket, _ lksdk.DataReceiveParams) {
		if packet, ok := data.(*lksdk.UserDataPacket); ok {
			told <- string(packet.Payload)
		}
	}
	listening.OnDisconnectedWithReason = func(reason lksdk.DisconnectionReason) { out <- reason }
	grace := enter(os.Getenv("GRACE"), listening)

	publication := speak(ada)
	same(string(await("Grace hears Ada", heard)), string(frame))
	awaitSaid("from Ada", told, func(said []byte) error {
		return ada.LocalParticipant.PublishDataPacket(lksdk.UserData(said), lksdk.WithDataPublishReliable(true))
	})
	awaitSaid("from the server", told, func(said []byte) error {
		_, err := rooms.SendData(ctx, &livekit.SendDataRequest{
			Room: name, Data: said, DestinationIdentities: []string{grace.LocalParticipant.Identity()},
		})
		return err
	})

	inside, err := rooms.ListParticipants(ctx, &livekit.ListParticipantsRequest{Room: name})
	must(err)
	same(len(inside.Participants), 2)
	muted, err := rooms.MutePublishedTrack(ctx, &livekit.MuteRoomTrackRequest{
		Room: name, Identity: ada.LocalParticipant.Identity(), TrackSid: publication.SID(), Muted: true,
	})
	must(err)
	same(muted.Track.Muted, true)
	_, err = rooms.RemoveParticipant(ctx, &livekit.RoomParticipantIdentity{Room: name, Identity: grace.LocalParticipant.Identity()})
	must(err)
	same(await("Grace is put out", out), lksdk.ParticipantRemoved)
	ada.Disconnect()
}

func enter(token string, callback *lksdk.RoomCallback) *lksdk.Room {
	room, err := lksdk.ConnectToRoomWithToken(os.Getenv("URL"), token, callback, lksdk.WithConnectTimeout(within))
	must(err)
	return room
}

func speak(room *lksdk.Room) *lksdk.LocalTrackPublication {
	track, err := lksdk.NewLocalSampleTrack(webrtc.RTPCodecCapability{MimeType: webrtc.MimeTypeOpus})
	must(err)
	publication, err := room.LocalParticipant.PublishTrack(track, &lksdk.TrackPublicationOptions{
		Name: "microphone", Source: livekit.TrackSource_MICROPHONE,
	})
	must(err)
	go func() {
		for room.ConnectionState() == lksdk.ConnectionStateConnected {
			track.WriteSample(media.Sample{Data: frame, Duration: 20 * time.Millisecond}, nil)
			time.Sleep(20 * time.Millisecond)
		}
	}()
	return publication
}

func await[T any](what string, from chan T) T {
	select {
	case one := <-from:
		return one
	case <-time.After(within):
		panic("not within its time: " + what)
	}
}

// A data channel opens later than its connection: what was said before is said again.
func awaitSaid(text string, told chan string, say func([]byte) error) {
	for end := time.Now().Add(within); time.Now().Before(end); {
		must(say([]byte(text)))
		select {
		case one := <-told:
			if one == text {
				return
			}
		case <-time.After(500 * time.Millisecond):
		}
	}
	panic("not told within its time: " + text)
}

func same[T comparable](is, wanted T) {
	if is != wanted {
		panic(fmt.Sprintf("%v in place of %v", is, wanted))
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func refused(code twirp.ErrorCode, err error) {
	if refusal, ok := err.(twirp.Error); !ok || refusal.Code() != code {
		panic(fmt.Sprintf("%v in place of %s", err, code))
	}
}
