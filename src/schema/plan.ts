/** What a field's bytes are. The tape's `aux` means something else for each. */
export const Kind = {
  bool: 0,
  int8: 1,
  int16: 2,
  uint16: 3,
  int32: 4,
  uint32: 5,
  int64: 6,
  float64: 7,
  uuid: 8,
  string: 9,
  bytes: 10,
  /** Record batches, kept as opaque bytes. */
  records: 11,
  array: 12,
  struct: 13,
  /** A tagged fields section: count, then one {@link Kind.tag} child each. */
  tags: 14,
  /** One tagged field; its child, where the tag is known, is the field. */
  tag: 15,
} as const;
export type Kind = (typeof Kind)[keyof typeof Kind];

/** One field of one message in one version, ready for the interpreter. Plans are built once and shared: treat them as frozen. */
export interface PlanNode {
  /** Position in {@link MessagePlan.nodes}. */
  readonly id: number;
  readonly kind: Kind;
  /** As in the message definition: `ResourceType`; elements have the type's name. */
  readonly name: string;
  /** As Kafka's JSON converters print it: `resourceType`. */
  readonly jsonName: string;
  /** As in the message definition: `int8`, `[]DescribeConfigsResource`. */
  readonly type: string;
  readonly about: string;
  readonly nullable: boolean;
  /** Lengths are uvarints of length + 1 (flexible versions). */
  readonly compact: boolean;
  /** Names of a coded member's values. */
  readonly names: ReadonlyMap<number, string> | null;
  /** JSON member that holds the code's name: `resourceTypeName`. */
  readonly nameMember: string | null;
  /** What an array holds; of a node of {@link Kind.tags}, the node of {@link Kind.tag} that all its fields' entries have. */
  readonly element: PlanNode | null;
  /** What a struct holds, in wire order; in flexible versions a node of {@link Kind.tags} is last. */
  readonly fields: readonly PlanNode[];
  /** Known tagged fields of a node of {@link Kind.tags}. */
  readonly known: ReadonlyMap<number, PlanNode>;
}

/** A message in one version: its frame from the size prefix on, or, where another message holds it, from its header on. */
export interface MessagePlan {
  /** `DescribeConfigsRequest`. */
  readonly name: string;
  readonly apiKey: number;
  readonly version: number;
  readonly side: 'request' | 'response';
  readonly flexible: boolean;
  /** `RequestHeader` or `ResponseHeader` in this version. */
  readonly headerVersion: number;
  /** A struct of three: `Frame` {size}, the header, the body; of the last two where there is no frame. */
  readonly root: PlanNode;
  /** Null for a message inside another one, which has no size prefix. */
  readonly frame: PlanNode | null;
  readonly header: PlanNode;
  readonly body: PlanNode;
  readonly nodes: readonly PlanNode[];
}
