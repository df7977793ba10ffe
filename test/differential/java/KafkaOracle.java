import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.message.ResponseHeaderData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.ObjectSerializationCache;
import org.apache.kafka.common.requests.DescribeConfigsResponse;

/**
 * Kafka's own classes as the oracle of the differential tests; works with kafka-clients 2.8 and later. One line of JSON a line of input:
 *
 * <p>`encode`: reads `request|response API-KEY VERSION JSON` (the body in Kafka's JSON) from standard input, prints `{"frame"}`: header and
 * body in hex.
 *
 * <p>`decode`: reads `request|response API-KEY VERSION HEX` (the frame without its size), prints `{"header", "body", "remaining"}`, or
 * `{"error"}` where Kafka refuses the frame.
 *
 * <p>`facts`: reads nothing, prints the error codes and the enums of the APIs about configs.
 */
public final class KafkaOracle {
    private static final ObjectMapper JSON = new ObjectMapper();

    public static void main(String[] arguments) throws Exception {
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        if (arguments[0].equals("facts")) {
            out.println(JSON.writeValueAsString(facts()));
        } else {
            BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String[] words = line.split(" ", 4);
                out.println(JSON.writeValueAsString(arguments[0].equals("encode") ? encode(words) : decode(words)));
            }
        }
        out.flush();
    }

    private static JsonNode decode(String[] words) {
        ObjectNode result = JSON.createObjectNode();
        try {
            ApiMessageType type = ApiMessageType.fromApiKey(Short.parseShort(words[1]));
            short version = Short.parseShort(words[2]);
            ByteBuffer bytes = ByteBuffer.wrap(HexFormat.of().parseHex(words[3]));
            ByteBufferAccessor readable = new ByteBufferAccessor(bytes);
            boolean isRequest = words[0].equals("request");
            short headerVersion = isRequest ? type.requestHeaderVersion(version) : type.responseHeaderVersion(version);
            ApiMessage header = isRequest ? new RequestHeaderData() : new ResponseHeaderData();
            header.read(readable, headerVersion);
            ApiMessage body = isRequest ? type.newRequest() : type.newResponse();
            body.read(readable, version);
            result.set("header", toJson(header, headerVersion));
            result.set("body", toJson(body, version));
            result.put("remaining", bytes.remaining());
        } catch (Throwable refusal) {
            result.removeAll();
            result.put("error", refusal.toString());
        }
        return result;
    }

    private static JsonNode encode(String[] words) throws Exception {
        ApiMessageType type = ApiMessageType.fromApiKey(Short.parseShort(words[1]));
        short version = Short.parseShort(words[2]);
        boolean isRequest = words[0].equals("request");
        ApiMessage header =
                isRequest
                        ? new RequestHeaderData().setRequestApiKey(type.apiKey()).setRequestApiVersion(version).setClientId("adm")
                        : new ResponseHeaderData();
        short headerVersion = isRequest ? type.requestHeaderVersion(version) : type.responseHeaderVersion(version);
        Class<?> message = (isRequest ? type.newRequest() : type.newResponse()).getClass();
        Method read = Class.forName(message.getName() + "JsonConverter").getMethod("read", JsonNode.class, short.class);
        ApiMessage body = (ApiMessage) read.invoke(null, JSON.readTree(words[3]), version);
        return JSON.createObjectNode().put("frame", toHex(header, headerVersion) + toHex(body, version));
    }

    /** As a broker's request log prints it: records by their size alone. */
    private static JsonNode toJson(ApiMessage message, short version) throws ReflectiveOperationException {
        Class<?> converter = Class.forName(message.getClass().getName() + "JsonConverter");
        Method write = converter.getMethod("write", message.getClass(), short.class, boolean.class);
        return (JsonNode) write.invoke(null, message, version, false);
    }

    private static JsonNode facts() {
        ObjectNode facts = JSON.createObjectNode();
        ObjectNode errors = facts.putObject("errors");
        for (Errors error : Errors.values()) errors.put(String.valueOf(error.code()), error.name());
        ObjectNode resourceTypes = facts.putObject("resourceTypes");
        for (ConfigResource.Type type : ConfigResource.Type.values()) resourceTypes.put(String.valueOf(type.id()), type.name());
        ObjectNode sources = facts.putObject("configSources");
        for (DescribeConfigsResponse.ConfigSource source : DescribeConfigsResponse.ConfigSource.values()) {
            sources.put(String.valueOf(source.id()), source.source().name());
        }
        ObjectNode types = facts.putObject("configTypes");
        for (DescribeConfigsResponse.ConfigType type : DescribeConfigsResponse.ConfigType.values()) {
            types.put(String.valueOf(type.id()), type.type().name());
        }
        ObjectNode operations = facts.putObject("configOperations");
        for (AlterConfigOp.OpType operation : AlterConfigOp.OpType.values()) {
            operations.put(String.valueOf(operation.id()), operation.name());
        }
        return facts;
    }

    private static String toHex(ApiMessage message, short version) {
        ObjectSerializationCache cache = new ObjectSerializationCache();
        ByteBuffer bytes = ByteBuffer.allocate(message.size(cache, version));
        message.write(new ByteBufferAccessor(bytes), cache, version);
        return HexFormat.of().formatHex(bytes.array());
    }
}
