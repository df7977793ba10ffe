# bash completion for kafka-dissect. Written by npm run golden.

_kafka_dissect() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command='' words='' files='' word
  if [[ $previous == '=' ]]; then previous=${COMP_WORDS[COMP_CWORD - 2]}; fi
  if [[ $current == '=' ]]; then previous=${COMP_WORDS[COMP_CWORD - 1]} current=''; fi
  for word in "${COMP_WORDS[@]:1:COMP_CWORD - 1}"; do
    case $word in
    diff | explain | schema | show | summary | timeline)
      command=$word
      break
      ;;
    esac
  done
  case $command:$previous in
    :-i | :--interface) files=yes ;;
    :--filter) files=yes ;;
    :--max-frame) files=yes ;;
    :--api) words='all Produce Fetch ListOffsets Metadata LeaderAndIsr StopReplica UpdateMetadata ControlledShutdown OffsetCommit OffsetFetch FindCoordinator JoinGroup Heartbeat LeaveGroup SyncGroup DescribeGroups ListGroups SaslHandshake ApiVersions CreateTopics DeleteTopics DeleteRecords InitProducerId OffsetForLeaderEpoch AddPartitionsToTxn AddOffsetsToTxn EndTxn WriteTxnMarkers TxnOffsetCommit DescribeAcls CreateAcls DeleteAcls DescribeConfigs AlterConfigs AlterReplicaLogDirs DescribeLogDirs SaslAuthenticate CreatePartitions CreateDelegationToken RenewDelegationToken ExpireDelegationToken DescribeDelegationToken DeleteGroups ElectLeaders IncrementalAlterConfigs AlterPartitionReassignments ListPartitionReassignments OffsetDelete DescribeClientQuotas AlterClientQuotas DescribeUserScramCredentials AlterUserScramCredentials Vote BeginQuorumEpoch EndQuorumEpoch DescribeQuorum AlterPartition UpdateFeatures Envelope FetchSnapshot DescribeCluster DescribeProducers BrokerRegistration BrokerHeartbeat UnregisterBroker DescribeTransactions ListTransactions AllocateProducerIds ConsumerGroupHeartbeat ConsumerGroupDescribe ControllerRegistration GetTelemetrySubscriptions PushTelemetry AssignReplicasToDirs ListConfigResources DescribeTopicPartitions ShareGroupHeartbeat ShareGroupDescribe ShareFetch ShareAcknowledge AddRaftVoter RemoveRaftVoter UpdateRaftVoter InitializeShareGroupState ReadShareGroupState WriteShareGroupState DeleteShareGroupState ReadShareGroupStateSummary StreamsGroupHeartbeat StreamsGroupDescribe DescribeShareGroupOffsets AlterShareGroupOffsets DeleteShareGroupOffsets' ;;
    :--client-id) files=yes ;;
    :--client) files=yes ;;
    :--server) files=yes ;;
    :--resource) files=yes ;;
    :--key) files=yes ;;
    :--error) files=yes ;;
    :--status) files=yes ;;
    :--api-version) files=yes ;;
    :--slower-than) files=yes ;;
    :--since) files=yes ;;
    :--until) files=yes ;;
    :--stream) files=yes ;;
    :-f | :--format) words='tree ndjson line' ;;
    :--depth) files=yes ;;
    :--color) words='always auto never' ;;
    :*)
      if [[ $current == -* ]]; then words='-i --interface --filter --max-frame --strict -q --quiet --api --client-id --client --server --resource --key --non-default --error --status --api-version --slower-than --since --until --stream -f --format --full --no-about --hex --depth --local --relative --color --no-color --show-secrets --events -h --help --version'
      else words='diff explain schema show summary timeline' files=yes
      fi
      ;;
    diff:-i | diff:--interface) files=yes ;;
    diff:--filter) files=yes ;;
    diff:--max-frame) files=yes ;;
    diff:--left) files=yes ;;
    diff:--right) files=yes ;;
    diff:--client-id) files=yes ;;
    diff:--client) files=yes ;;
    diff:--server) files=yes ;;
    diff:--resource) files=yes ;;
    diff:--key) files=yes ;;
    diff:--error) files=yes ;;
    diff:--status) files=yes ;;
    diff:--api-version) files=yes ;;
    diff:--slower-than) files=yes ;;
    diff:--since) files=yes ;;
    diff:--until) files=yes ;;
    diff:--stream) files=yes ;;
    diff:-f | diff:--format) words='table ndjson' ;;
    diff:--color) words='always auto never' ;;
    diff:*)
      if [[ $current == -* ]]; then words='-i --interface --filter --max-frame --strict -q --quiet --left --right --client-id --client --server --resource --key --non-default --error --status --api-version --slower-than --since --until --stream -f --format --color --no-color --show-secrets -h --help --version'
      else files=yes
      fi
      ;;
    explain:--api-version) files=yes ;;
    explain:--color) words='always auto never' ;;
    explain:*)
      if [[ $current == -* ]]; then words='--api-version --request --response --color --no-color -h --help --version'
      else words='Produce Fetch ListOffsets Metadata LeaderAndIsr StopReplica UpdateMetadata ControlledShutdown OffsetCommit OffsetFetch FindCoordinator JoinGroup Heartbeat LeaveGroup SyncGroup DescribeGroups ListGroups SaslHandshake ApiVersions CreateTopics DeleteTopics DeleteRecords InitProducerId OffsetForLeaderEpoch AddPartitionsToTxn AddOffsetsToTxn EndTxn WriteTxnMarkers TxnOffsetCommit DescribeAcls CreateAcls DeleteAcls DescribeConfigs AlterConfigs AlterReplicaLogDirs DescribeLogDirs SaslAuthenticate CreatePartitions CreateDelegationToken RenewDelegationToken ExpireDelegationToken DescribeDelegationToken DeleteGroups ElectLeaders IncrementalAlterConfigs AlterPartitionReassignments ListPartitionReassignments OffsetDelete DescribeClientQuotas AlterClientQuotas DescribeUserScramCredentials AlterUserScramCredentials Vote BeginQuorumEpoch EndQuorumEpoch DescribeQuorum AlterPartition UpdateFeatures Envelope FetchSnapshot DescribeCluster DescribeProducers BrokerRegistration BrokerHeartbeat UnregisterBroker DescribeTransactions ListTransactions AllocateProducerIds ConsumerGroupHeartbeat ConsumerGroupDescribe ControllerRegistration GetTelemetrySubscriptions PushTelemetry AssignReplicasToDirs ListConfigResources DescribeTopicPartitions ShareGroupHeartbeat ShareGroupDescribe ShareFetch ShareAcknowledge AddRaftVoter RemoveRaftVoter UpdateRaftVoter InitializeShareGroupState ReadShareGroupState WriteShareGroupState DeleteShareGroupState ReadShareGroupStateSummary StreamsGroupHeartbeat StreamsGroupDescribe DescribeShareGroupOffsets AlterShareGroupOffsets DeleteShareGroupOffsets' files=yes
      fi
      ;;
    schema:*)
      if [[ $current == -* ]]; then words='-h --help --version'
      else files=yes
      fi
      ;;
    show:-i | show:--interface) files=yes ;;
    show:--filter) files=yes ;;
    show:--max-frame) files=yes ;;
    show:--api) words='all Produce Fetch ListOffsets Metadata LeaderAndIsr StopReplica UpdateMetadata ControlledShutdown OffsetCommit OffsetFetch FindCoordinator JoinGroup Heartbeat LeaveGroup SyncGroup DescribeGroups ListGroups SaslHandshake ApiVersions CreateTopics DeleteTopics DeleteRecords InitProducerId OffsetForLeaderEpoch AddPartitionsToTxn AddOffsetsToTxn EndTxn WriteTxnMarkers TxnOffsetCommit DescribeAcls CreateAcls DeleteAcls DescribeConfigs AlterConfigs AlterReplicaLogDirs DescribeLogDirs SaslAuthenticate CreatePartitions CreateDelegationToken RenewDelegationToken ExpireDelegationToken DescribeDelegationToken DeleteGroups ElectLeaders IncrementalAlterConfigs AlterPartitionReassignments ListPartitionReassignments OffsetDelete DescribeClientQuotas AlterClientQuotas DescribeUserScramCredentials AlterUserScramCredentials Vote BeginQuorumEpoch EndQuorumEpoch DescribeQuorum AlterPartition UpdateFeatures Envelope FetchSnapshot DescribeCluster DescribeProducers BrokerRegistration BrokerHeartbeat UnregisterBroker DescribeTransactions ListTransactions AllocateProducerIds ConsumerGroupHeartbeat ConsumerGroupDescribe ControllerRegistration GetTelemetrySubscriptions PushTelemetry AssignReplicasToDirs ListConfigResources DescribeTopicPartitions ShareGroupHeartbeat ShareGroupDescribe ShareFetch ShareAcknowledge AddRaftVoter RemoveRaftVoter UpdateRaftVoter InitializeShareGroupState ReadShareGroupState WriteShareGroupState DeleteShareGroupState ReadShareGroupStateSummary StreamsGroupHeartbeat StreamsGroupDescribe DescribeShareGroupOffsets AlterShareGroupOffsets DeleteShareGroupOffsets' ;;
    show:-f | show:--format) words='tree ndjson line' ;;
    show:--depth) files=yes ;;
    show:--color) words='always auto never' ;;
    show:*)
      if [[ $current == -* ]]; then words='-i --interface --filter --max-frame --strict -q --quiet --api -f --format --full --no-about --hex --depth --local --relative --color --no-color --show-secrets -h --help --version'
      else files=yes
      fi
      ;;
    summary:-i | summary:--interface) files=yes ;;
    summary:--filter) files=yes ;;
    summary:--max-frame) files=yes ;;
    summary:--client-id) files=yes ;;
    summary:--client) files=yes ;;
    summary:--server) files=yes ;;
    summary:--resource) files=yes ;;
    summary:--key) files=yes ;;
    summary:--error) files=yes ;;
    summary:--status) files=yes ;;
    summary:--api-version) files=yes ;;
    summary:--slower-than) files=yes ;;
    summary:--since) files=yes ;;
    summary:--until) files=yes ;;
    summary:--stream) files=yes ;;
    summary:-f | summary:--format) words='table ndjson' ;;
    summary:--color) words='always auto never' ;;
    summary:*)
      if [[ $current == -* ]]; then words='-i --interface --filter --max-frame --strict -q --quiet --client-id --client --server --resource --key --non-default --error --status --api-version --slower-than --since --until --stream -f --format --color --no-color --show-secrets -h --help --version'
      else files=yes
      fi
      ;;
    timeline:-i | timeline:--interface) files=yes ;;
    timeline:--filter) files=yes ;;
    timeline:--max-frame) files=yes ;;
    timeline:--client-id) files=yes ;;
    timeline:--client) files=yes ;;
    timeline:--server) files=yes ;;
    timeline:--resource) files=yes ;;
    timeline:--key) files=yes ;;
    timeline:--error) files=yes ;;
    timeline:--status) files=yes ;;
    timeline:--api-version) files=yes ;;
    timeline:--slower-than) files=yes ;;
    timeline:--since) files=yes ;;
    timeline:--until) files=yes ;;
    timeline:--stream) files=yes ;;
    timeline:-f | timeline:--format) words='table ndjson' ;;
    timeline:--color) words='always auto never' ;;
    timeline:*)
      if [[ $current == -* ]]; then words='-i --interface --filter --max-frame --strict -q --quiet --client-id --client --server --resource --key --non-default --error --status --api-version --slower-than --since --until --stream -f --format --color --no-color --show-secrets -h --help --version'
      else files=yes
      fi
      ;;
  esac
  mapfile -t COMPREPLY < <(
    compgen -W "$words" -- "$current"
    [[ -z $files ]] || compgen -f -- "$current"
  )
}
complete -o filenames -F _kafka_dissect kafka-dissect
