import { Admin, ConfigResourceTypes } from '@platformatic/kafka';

const { bootstrap, clientId, sasl, topics, broker } = JSON.parse(process.argv[2]);

const admin = new Admin({
  clientId,
  bootstrapBrokers: [bootstrap],
  retries: 0,
  ...(sasl && { sasl: { ...sasl, mechanism: sasl.mechanism.toUpperCase() } }),
});
const resources = [
  ...topics.map((name) => ({ resourceType: ConfigResourceTypes.TOPIC, resourceName: name })),
  { resourceType: ConfigResourceTypes.BROKER, resourceName: broker },
];
await admin
  .describeConfigs({ resources, includeSynonyms: true, includeDocumentation: true })
  .catch((error) => console.error(error.message));
await admin.close();
