import io.github.centrifugal.centrifuge.Client;
import io.github.centrifugal.centrifuge.ConnectedEvent;
import io.github.centrifugal.centrifuge.EventListener;
import io.github.centrifugal.centrifuge.Options;
import io.github.centrifugal.centrifuge.ServerPublicationEvent;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Connects as centrifuge-java does (protobuf), says so, and tells the first event of a room's making. */
public class Listen {
  public static void main(String[] arguments) throws Exception {
    Options options = new Options();
    options.setToken(System.getenv("TOKEN"));
    CompletableFuture<String> heard = new CompletableFuture<>();
    Client client = new Client(System.getenv("URL"), options, new EventListener() {
      @Override
      public void onConnected(Client client, ConnectedEvent event) {
        System.out.println("connected");
      }

      @Override
      public void onPublication(Client client, ServerPublicationEvent event) {
        String envelope = new String(event.getData(), StandardCharsets.UTF_8);
        if (envelope.contains("\"room.created\"")) heard.complete(envelope.replaceAll(".*\"name\":\"([^\"]*)\".*", "$1"));
      }
    });
    client.connect();
    System.out.println("heard: " + heard.get(30, TimeUnit.SECONDS));
    client.close(1000);
    System.exit(0);
  }
}
