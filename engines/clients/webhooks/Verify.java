import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.standardwebhooks.Webhook;
import java.net.http.HttpHeaders;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Verifies a delivery by the reference library for Java: {"secret", "headers", "body"} in DELIVERY. */
public class Verify {
  public static void main(String[] arguments) throws Exception {
    ObjectMapper json = new ObjectMapper();
    JsonNode given = json.readTree(System.getenv("DELIVERY"));
    Map<String, List<String>> headers = new HashMap<>();
    given.get("headers").fields().forEachRemaining(one -> headers.put(one.getKey(), List.of(one.getValue().asText())));
    String body = given.get("body").asText();
    new Webhook(given.get("secret").asText()).verify(body, HttpHeaders.of(headers, (name, value) -> true));
    System.out.println("verified: " + json.readTree(body).get("type").asText());
  }
}
