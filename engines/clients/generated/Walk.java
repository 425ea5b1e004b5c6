import java.net.CookieManager;
import java.util.List;
import office.ApiClient;
import office.ApiException;
import office.api.AuthenticationAndSessionApi;
import office.api.RealTimeRoomsGuestsAndRecordingApi;
import office.api.UserAndAvatarApi;
import office.model.CreateRoomRequest;

/** One walk by the client that openapi-generator makes for Java: in, oneself, a room made, listed, and refused in words. */
public class Walk {
  public static void main(String[] arguments) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(System.getenv("OFFICE"));
    client.setHttpClientBuilder(java.net.http.HttpClient.newBuilder().cookieHandler(new CookieManager()));
    new AuthenticationAndSessionApi(client).devSignIn(new java.util.HashMap<>());
    String email = new UserAndAvatarApi(client).getCurrentUser().getEmail();
    RealTimeRoomsGuestsAndRecordingApi rooms = new RealTimeRoomsGuestsAndRecordingApi(client);
    CreateRoomRequest wanted = new CreateRoomRequest().name("A room of Java").seats(4);
    var made = rooms.createRoom(wanted).getRoom();
    if (rooms.listRooms().getRooms().stream().noneMatch(room -> room.getId().equals(made.getId())))
      throw new AssertionError("it is not listed");
    try {
      rooms.createRoom(wanted);
      throw new AssertionError("the same name twice");
    } catch (ApiException refused) {
      if (refused.getCode() != 409 || !refused.getResponseBody().contains("\"room-exists\"")) throw refused;
    }
    System.out.println("walked: " + email + ", " + made.getName() + ", " + made.getSeats() + " seats");
  }
}
