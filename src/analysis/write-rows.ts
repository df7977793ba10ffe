import { isSecretKey } from '../decode/secret-keys.ts';
import type { AlterationRow, CreatedRow } from '../records/rows.ts';
import { isoTime } from '../records/time.ts';
import { apiNames } from '../schema/api-keys.ts';
import { codeName, resourceTypes } from '../schema/enums.ts';
import { errorNames } from '../schema/error-codes.ts';
import type { PacketNames } from './instants.ts';
import { redactable } from './secret-text.ts';
import { CREATE_TOPICS, type Write } from './writes.ts';

/** What rows of writes need to know. */
export interface WriteRowOptions {
  readonly packets: PacketNames;
  readonly showSecrets: boolean;
}

/** One row for each resource that was altered, or was to be. */
export function alterationRows(writes: readonly Write[], { packets, showSecrets }: WriteRowOptions): AlterationRow[] {
  return writes
    .filter(({ apiKey }) => apiKey !== CREATE_TOPICS)
    .flatMap((write) =>
      write.resources.map(({ type, name, changes, errorCode }) => ({
        type: 'alteration' as const,
        time: isoTime(write.first),
        ...packets.ref(write.first),
        apiKey: write.apiKey,
        apiName: codeName(apiNames, write.apiKey),
        apiVersion: write.apiVersion,
        clientId: write.clientId,
        client: write.client,
        server: write.server,
        principal: write.principal,
        resourceType: type,
        resourceTypeName: codeName(resourceTypes, type),
        resourceName: name,
        changes: changes.map(({ key, op, value }) => ({ key, op, ...redactable(value, !showSecrets && isSecretKey(key)) })),
        validateOnly: write.validateOnly,
        errorCode,
        errorName: errorCode === null ? null : codeName(errorNames, errorCode),
        forwardedIn: write.forwardedIn && packets.ref(write.forwardedIn),
      })),
    );
}

/** One row for each topic that was created, or was to be. */
export function createdRows(writes: readonly Write[], { packets, showSecrets }: WriteRowOptions): CreatedRow[] {
  return writes
    .filter(({ apiKey }) => apiKey === CREATE_TOPICS)
    .flatMap((write) =>
      write.resources.map(({ name, changes, errorCode }) => ({
        type: 'created' as const,
        time: isoTime(write.first),
        ...packets.ref(write.first),
        topic: name,
        configs: Object.fromEntries(changes.map(({ key, value }) => [key, redactable(value, !showSecrets && isSecretKey(key)).value])),
        validateOnly: write.validateOnly,
        errorCode,
        errorName: errorCode === null ? null : codeName(errorNames, errorCode),
        apiVersion: write.apiVersion,
        clientId: write.clientId,
        client: write.client,
        server: write.server,
        principal: write.principal,
        forwardedIn: write.forwardedIn && packets.ref(write.forwardedIn),
      })),
    );
}
