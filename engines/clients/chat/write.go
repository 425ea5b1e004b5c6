// Writes to a colleague as backends in Go do: postgrest-go, with a token for the chat data.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/supabase-community/postgrest-go"
)

type message struct {
	ConversationId int64  `json:"conversation_id"`
	MessageId      int64  `json:"message_id,omitempty"`
	Content        string `json:"content"`
}

func main() {
	chat := postgrest.NewClient(os.Getenv("REST"), "", nil).SetAuthToken(os.Getenv("TOKEN"))
	content := os.Getenv("CONTENT")
	peer, _ := strconv.Atoi(os.Getenv("PEER"))

	var opened []message
	read(chat.Rpc("open_dm", "", map[string]int{"p_peer_user_id": peer}), &opened)
	conversation := opened[0].ConversationId
	var sent []message
	_, err := chat.From("messages").Insert(message{ConversationId: conversation, Content: content}, false, "", "", "").ExecuteTo(&sent)
	must(err)
	must(same(sent[0].Content, content))

	var page []message
	read(chat.Rpc("get_conversation_messages", "", map[string]int64{"p_conversation_id": conversation}), &page)
	must(same(page[0].MessageId, sent[0].MessageId))
	mine := chat.From("messages").Select("message_id, content, conversation_id", "exact", false)
	var rows []message
	counted, err := mine.Eq("conversation_id", fmt.Sprint(conversation)).
		Order("message_id", &postgrest.OrderOpts{Ascending: false}).Limit(1, "").ExecuteTo(&rows)
	must(err)
	must(same(rows[0], sent[0]))
	must(same(counted >= 1, true))
	var one message
	_, err = chat.From("messages").Select("content", "", false).Eq("message_id", fmt.Sprint(sent[0].MessageId)).Single().ExecuteTo(&one)
	must(err)
	must(same(one.Content, content))

	_, _, err = chat.From("messages").Insert(message{ConversationId: conversation, Content: " "}, false, "", "", "").Execute()
	refused("23514", err)
	_, _, err = chat.From("messages").Insert(message{ConversationId: 9_000_000_000, Content: "Anybody?"}, false, "", "", "").Execute()
	refused("42501", err)
	_, _, err = chat.From("messages").Select("content", "", false).Eq("message_id", "0").Single().Execute()
	refused("PGRST116", err)
	fmt.Println("all of it:", conversation)
}

func read(answer string, into any) {
	if err := json.Unmarshal([]byte(answer), into); err != nil {
		panic(answer)
	}
}

func same(is, wanted any) error {
	if is == wanted {
		return nil
	}
	return fmt.Errorf("%v in place of %v", is, wanted)
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func refused(code string, err error) {
	if err == nil || !strings.Contains(err.Error(), code) {
		panic(fmt.Sprintf("%v in place of %s", err, code))
	}
}
