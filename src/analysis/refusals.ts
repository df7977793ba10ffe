import type { PacketPosition } from '../capture/packet.ts';
import { MAX_SUMMARY_ROWS } from '../limits.ts';
import type { RefusalRow } from '../records/rows.ts';
import { isoTime } from '../records/time.ts';
import { codeName, resourceTypes } from '../schema/enums.ts';
import { errorNames } from '../schema/error-codes.ts';
import { isAfter } from './instants.ts';
import { KEPT_ITEM_BYTES, type Room, textBytes } from './room.ts';

const TOPIC = 2;
const BROKER = 4;
const BROKER_LOGGER = 8;

const UNKNOWN_TOPIC = 3;
const INVALID_TOPIC = 17;
const TOPIC_AUTHORIZATION_FAILED = 29;
const GROUP_AUTHORIZATION_FAILED = 30;
const CLUSTER_AUTHORIZATION_FAILED = 31;
const INVALID_REQUEST = 42;

/** Who was refused what. */
export interface RefusedResource {
  readonly clientId: string | null;
  readonly address: string;
  readonly principal: string | null;
  readonly resourceType: number;
  readonly resourceName: string;
  readonly errorCode: number;
}

interface Refusal extends RefusedResource {
  count: number;
  first: PacketPosition;
  last: PacketPosition;
  /** The broker's name, for the hint. */
  readonly broker: string;
}

/** Counts what brokers refused to describe. */
export class Refusals {
  /** Refusals that there was no room for. */
  dropped = 0;
  readonly #refusals = new Map<string, Refusal>();
  readonly #room: Room;

  constructor(room: Room) {
    this.#room = room;
  }

  /** `at` is kept: the packet with the answer's last byte. */
  add(refused: RefusedResource, broker: string, at: PacketPosition): void {
    const { clientId, address, principal, resourceType, resourceName, errorCode } = refused;
    const key = JSON.stringify([clientId, address, principal, resourceType, resourceName, errorCode]);
    const known = this.#refusals.get(key);
    if (known !== undefined) {
      known.count++;
      if (isAfter(at, known.last)) known.last = at;
      if (isAfter(known.first, at)) known.first = at;
    } else if (this.#refusals.size >= MAX_SUMMARY_ROWS || !this.#room.take(KEPT_ITEM_BYTES + 3 * textBytes(key))) this.dropped++;
    else this.#refusals.set(key, { ...refused, broker, count: 1, first: at, last: at });
  }

  /** In the order in which they first came. */
  rows(): RefusalRow[] {
    return [...this.#refusals.values()].map((refusal) => ({
      type: 'refusal',
      clientId: refusal.clientId,
      address: refusal.address,
      principal: refusal.principal,
      resourceType: refusal.resourceType,
      resourceTypeName: codeName(resourceTypes, refusal.resourceType),
      resourceName: refusal.resourceName,
      errorCode: refusal.errorCode,
      errorName: codeName(errorNames, refusal.errorCode),
      count: refusal.count,
      firstTime: isoTime(refusal.first),
      lastTime: isoTime(refusal.last),
      missingAcl: missingAcl(refusal),
      hint: hintOf(refusal),
    }));
  }
}

/** What a DescribeConfigs must be allowed (`ConfigHelper`, `AuthHelper`): each error names the kind of resource that it was checked on. */
function missingAcl({ errorCode, resourceName }: RefusedResource): string | null {
  switch (errorCode) {
    case TOPIC_AUTHORIZATION_FAILED:
      return `DESCRIBE_CONFIGS on TOPIC ${resourceName}`;
    case GROUP_AUTHORIZATION_FAILED:
      return `DESCRIBE_CONFIGS on GROUP ${resourceName}`;
    case CLUSTER_AUTHORIZATION_FAILED:
      return 'DESCRIBE_CONFIGS on CLUSTER kafka-cluster';
    default:
      return null;
  }
}

function hintOf({ errorCode, resourceType, resourceName, broker }: Refusal): string | null {
  if (errorCode === UNKNOWN_TOPIC) return 'the broker has no topic of this name: misspelt, deleted, or of another cluster';
  if (errorCode === INVALID_TOPIC) return 'no topic can have this name';
  if (errorCode !== INVALID_REQUEST) return null;
  if (resourceType === BROKER || resourceType === BROKER_LOGGER) {
    return `asked of broker ${broker}: a broker tells of its own configs alone, so that ${resourceName} must be asked itself`;
  }
  return resourceType === TOPIC ? null : 'the broker may be too old for resources of this type';
}
