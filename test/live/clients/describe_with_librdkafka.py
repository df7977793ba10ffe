import json
import sys

from confluent_kafka.admin import AdminClient, ConfigResource

asked = json.loads(sys.argv[1])
settings = {"bootstrap.servers": asked["bootstrap"], "client.id": asked["clientId"]}
if sasl := asked.get("sasl"):
    settings |= {
        "security.protocol": "SASL_PLAINTEXT",
        "sasl.mechanism": sasl["mechanism"].upper(),
        "sasl.username": sasl["username"],
        "sasl.password": sasl["password"],
    }
resources = [ConfigResource(ConfigResource.Type.TOPIC, name) for name in asked["topics"]]
resources.append(ConfigResource(ConfigResource.Type.BROKER, asked["broker"]))
client = AdminClient(settings)
for future in client.describe_configs(resources, request_timeout=20).values():
    if error := future.exception():
        print(error, file=sys.stderr)
