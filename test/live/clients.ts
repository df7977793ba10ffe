import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ALICE, BOB, type Broker, NODE_ID, SMALL_JAVA } from './broker.ts';
import { javaScriptClients, kafkaLibraries, mavenLibraries, pythonWithClients } from './libraries.ts';
import { Running } from './running.ts';

export const TOPICS = ['orders', 'payments'] as const;

/** How a client logs in; where left out it uses the listener that lets everybody in. */
export type Login = { readonly mechanism: 'plain' | 'scram-sha-256'; readonly username: string; readonly password: string };

export const ALICE_PLAIN: Login = { mechanism: 'plain', ...ALICE };
export const ALICE_SCRAM: Login = { mechanism: 'scram-sha-256', ...ALICE };
export const BOB_SCRAM: Login = { mechanism: 'scram-sha-256', ...BOB };

/** Starts a client that asks the broker for the configs of itself and of `TOPICS`, under a client id, and ends. */
export type Client = (broker: Broker, clientId: string) => Running;

/** The Java client of a release; all releases are driven by one program. */
export function javaClient(release: string, login?: Login): Client {
  return (broker, clientId) => {
    const libraries = mavenLibraries(`kafka-clients-${release}`, `org.apache.kafka:kafka-clients:${release}`);
    const program = resolve('test', 'live', 'clients', 'DescribeWithJava.java');
    const settings = Object.entries(javaSettings(broker, clientId, login)).map(([key, value]) => `${key}=${value}`);
    return new Running('java', [...SMALL_JAVA, '-cp', libraries, program, NODE_ID, TOPICS.join(','), ...settings]).keepStdout();
  };
}

function javaSettings(broker: Broker, clientId: string, login?: Login): Record<string, string> {
  const settings = { 'bootstrap.servers': login ? broker.secured : broker.open, 'client.id': clientId };
  if (!login) return settings;
  const module = login.mechanism === 'plain' ? 'plain.PlainLoginModule' : 'scram.ScramLoginModule';
  return {
    ...settings,
    'security.protocol': 'SASL_PLAINTEXT',
    'sasl.mechanism': login.mechanism.toUpperCase(),
    'sasl.jaas.config': `org.apache.kafka.common.security.${module} required username="${login.username}" password="${login.password}";`,
  };
}

/** Kafka's command-line tool `kafka-configs`: one topic in each of its requests. */
export function kafkaConfigs(release: string): Client {
  return (broker, clientId) => {
    const settings = join(broker.folder, 'kafka-configs.properties');
    writeFileSync(settings, `client.id=${clientId}\n`);
    const words = ['--bootstrap-server', broker.open, '--command-config', settings, '--describe', '--all', '--entity-type', 'topics'];
    return new Running('java', [...SMALL_JAVA, '-cp', kafkaLibraries(release), 'kafka.admin.ConfigCommand', ...words]).keepStdout();
  };
}

/** A client in JavaScript: the script of this name in clients/. */
export function nodeClient(script: string, login?: Login, more: object = {}): Client {
  return (broker, clientId) => {
    const words = [join(javaScriptClients(), script), JSON.stringify({ ...asked(broker, clientId, login), ...more })];
    return new Running(process.execPath, words).keepStdout();
  };
}

/** The client in C, by way of Python. */
export function librdkafka(login?: Login): Client {
  return (broker, clientId) => {
    const script = resolve('test', 'live', 'clients', 'describe_with_librdkafka.py');
    return new Running(pythonWithClients(), [script, JSON.stringify(asked(broker, clientId, login))]).keepStdout();
  };
}

function asked(broker: Broker, clientId: string, login?: Login): object {
  return { bootstrap: login ? broker.secured : broker.open, clientId, topics: TOPICS, broker: NODE_ID, ...(login && { sasl: login }) };
}
