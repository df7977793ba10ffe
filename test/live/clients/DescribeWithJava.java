import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.AdminClient;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;

/** Asks for the configs of a broker and of topics: BROKER TOPICS (by commas) and the client's settings as KEY=VALUE. Fits clients since 0.11. */
public class DescribeWithJava {
    public static void main(String[] arguments) throws Exception {
        List<ConfigResource> resources = new ArrayList<>();
        resources.add(new ConfigResource(ConfigResource.Type.BROKER, arguments[0]));
        for (String topic : arguments[1].split(",")) resources.add(new ConfigResource(ConfigResource.Type.TOPIC, topic));
        Properties settings = new Properties();
        for (int i = 2; i < arguments.length; i++) {
            String[] setting = arguments[i].split("=", 2);
            settings.put(setting[0], setting[1]);
        }
        try (AdminClient client = AdminClient.create(settings)) {
            for (KafkaFuture<?> answer : client.describeConfigs(resources).values().values()) {
                try {
                    answer.get();
                } catch (ExecutionException refused) {
                    System.err.println(refused.getMessage());
                }
            }
        }
    }
}
