/** What is known of an API of Kafka. */
export interface ApiFacts {
  readonly key: number;
  /** As Kafka 4.3 names it. */
  readonly name: string;
  /** Highest version of any release up to 4.3, or that clients send ahead of one (ApiVersions 5, KIP-1242). The lowest is 0: captures hold old clients. */
  readonly lastVersion: number;
  /** First version with flexible headers; null if there is none. */
  readonly flexibleFrom: number | null;
  /** Lowest version that Kafka 4.3 still accepts; null where it dropped the API (KIP-896). */
  readonly minimumInKafka4: number | null;
}

// key, name, last version, flexible from, minimum in Kafka 4: the union of the message definitions in
// the kafka-clients jars, old and new (test/differential/kafka-jars.test.ts holds it).
const rows: readonly (readonly [number, string, number, number | null, number | null])[] = [
  [0, 'Produce', 13, 9, 3],
  [1, 'Fetch', 18, 12, 4],
  [2, 'ListOffsets', 11, 6, 1],
  [3, 'Metadata', 13, 9, 0],
  [4, 'LeaderAndIsr', 7, 4, null],
  [5, 'StopReplica', 4, 2, null],
  [6, 'UpdateMetadata', 8, 6, null],
  [7, 'ControlledShutdown', 3, 3, null],
  [8, 'OffsetCommit', 10, 8, 2],
  [9, 'OffsetFetch', 10, 6, 1],
  [10, 'FindCoordinator', 6, 3, 0],
  [11, 'JoinGroup', 9, 6, 0],
  [12, 'Heartbeat', 4, 4, 0],
  [13, 'LeaveGroup', 5, 4, 0],
  [14, 'SyncGroup', 5, 4, 0],
  [15, 'DescribeGroups', 6, 5, 0],
  [16, 'ListGroups', 5, 3, 0],
  [17, 'SaslHandshake', 1, null, 0],
  [18, 'ApiVersions', 5, 3, 0],
  [19, 'CreateTopics', 7, 5, 2],
  [20, 'DeleteTopics', 6, 4, 1],
  [21, 'DeleteRecords', 2, 2, 0],
  [22, 'InitProducerId', 6, 2, 0],
  [23, 'OffsetForLeaderEpoch', 4, 4, 2],
  [24, 'AddPartitionsToTxn', 5, 3, 0],
  [25, 'AddOffsetsToTxn', 4, 3, 0],
  [26, 'EndTxn', 5, 3, 0],
  [27, 'WriteTxnMarkers', 2, 1, 1],
  [28, 'TxnOffsetCommit', 5, 3, 0],
  [29, 'DescribeAcls', 3, 2, 1],
  [30, 'CreateAcls', 3, 2, 1],
  [31, 'DeleteAcls', 3, 2, 1],
  [32, 'DescribeConfigs', 4, 4, 1],
  [33, 'AlterConfigs', 2, 2, 0],
  [34, 'AlterReplicaLogDirs', 2, 2, 1],
  [35, 'DescribeLogDirs', 5, 2, 1],
  [36, 'SaslAuthenticate', 2, 2, 0],
  [37, 'CreatePartitions', 3, 2, 0],
  [38, 'CreateDelegationToken', 3, 2, 1],
  [39, 'RenewDelegationToken', 2, 2, 1],
  [40, 'ExpireDelegationToken', 2, 2, 1],
  [41, 'DescribeDelegationToken', 3, 2, 1],
  [42, 'DeleteGroups', 2, 2, 0],
  [43, 'ElectLeaders', 2, 2, 0],
  [44, 'IncrementalAlterConfigs', 1, 1, 0],
  [45, 'AlterPartitionReassignments', 1, 0, 0],
  [46, 'ListPartitionReassignments', 0, 0, 0],
  [47, 'OffsetDelete', 0, null, 0],
  [48, 'DescribeClientQuotas', 1, 1, 0],
  [49, 'AlterClientQuotas', 1, 1, 0],
  [50, 'DescribeUserScramCredentials', 0, 0, 0],
  [51, 'AlterUserScramCredentials', 0, 0, 0],
  [52, 'Vote', 2, 0, 0],
  [53, 'BeginQuorumEpoch', 1, 1, 0],
  [54, 'EndQuorumEpoch', 1, 1, 0],
  [55, 'DescribeQuorum', 2, 0, 0],
  [56, 'AlterPartition', 3, 0, 2],
  [57, 'UpdateFeatures', 2, 0, 0],
  [58, 'Envelope', 0, 0, 0],
  [59, 'FetchSnapshot', 1, 0, 0],
  [60, 'DescribeCluster', 2, 0, 0],
  [61, 'DescribeProducers', 0, 0, 0],
  [62, 'BrokerRegistration', 4, 0, 0],
  [63, 'BrokerHeartbeat', 2, 0, 0],
  [64, 'UnregisterBroker', 0, 0, 0],
  [65, 'DescribeTransactions', 0, 0, 0],
  [66, 'ListTransactions', 2, 0, 0],
  [67, 'AllocateProducerIds', 0, 0, 0],
  [68, 'ConsumerGroupHeartbeat', 1, 0, 0],
  [69, 'ConsumerGroupDescribe', 1, 0, 0],
  [70, 'ControllerRegistration', 0, 0, 0],
  [71, 'GetTelemetrySubscriptions', 0, 0, 0],
  [72, 'PushTelemetry', 0, 0, 0],
  [73, 'AssignReplicasToDirs', 0, 0, 0],
  [74, 'ListConfigResources', 1, 0, 0],
  [75, 'DescribeTopicPartitions', 0, 0, 0],
  [76, 'ShareGroupHeartbeat', 1, 0, 1],
  [77, 'ShareGroupDescribe', 1, 0, 1],
  [78, 'ShareFetch', 2, 0, 1],
  [79, 'ShareAcknowledge', 2, 0, 1],
  [80, 'AddRaftVoter', 1, 0, 0],
  [81, 'RemoveRaftVoter', 0, 0, 0],
  [82, 'UpdateRaftVoter', 0, 0, 0],
  [83, 'InitializeShareGroupState', 0, 0, 0],
  [84, 'ReadShareGroupState', 0, 0, 0],
  [85, 'WriteShareGroupState', 1, 0, 0],
  [86, 'DeleteShareGroupState', 0, 0, 0],
  [87, 'ReadShareGroupStateSummary', 1, 0, 0],
  [88, 'StreamsGroupHeartbeat', 0, 0, 0],
  [89, 'StreamsGroupDescribe', 0, 0, 0],
  [90, 'DescribeShareGroupOffsets', 1, 0, 0],
  [91, 'AlterShareGroupOffsets', 0, 0, 0],
  [92, 'DeleteShareGroupOffsets', 0, 0, 0],
];

const factsByKey: ReadonlyMap<number, ApiFacts> = new Map(
  rows.map(([key, name, lastVersion, flexibleFrom, minimumInKafka4]) => [key, { key, name, lastVersion, flexibleFrom, minimumInKafka4 }]),
);

/** Names of all APIs by key. */
export const apiNames: ReadonlyMap<number, string> = new Map(rows.map(([key, name]) => [key, name]));

/** Keys of APIs by names that they had in older releases. */
const formerNames: ReadonlyMap<string, number> = new Map([
  ['AlterIsr', 56],
  ['ListClientMetricsResources', 74],
]);

/** The key of an API by its name, of today or of old and in whatever case, or by the key's digits; null if there is none. */
export function apiKeyNamed(text: string): number | null {
  const wanted = text.toLowerCase();
  for (const [key, name] of apiNames) if (name.toLowerCase() === wanted || String(key) === wanted) return key;
  for (const [name, key] of formerNames) if (name.toLowerCase() === wanted) return key;
  return null;
}

/** The facts of an API; null for a key that no release up to 4.3 has. */
export function apiFacts(key: number): ApiFacts | null {
  return factsByKey.get(key) ?? null;
}

/**
 * Whether a version of an API is flexible, which decides its headers. A version above the known range is: flexible stays flexible.
 * Null for an unknown API.
 */
export function isFlexible(key: number, version: number): boolean | null {
  const facts = factsByKey.get(key);
  if (facts === undefined) return null;
  return facts.flexibleFrom !== null && version >= facts.flexibleFrom;
}
