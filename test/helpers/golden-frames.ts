/** A frame whose contents are known: client id "adm", topic "t" with config "k" = "v", correlation id 1. */
export interface GoldenFrame {
  readonly side: 'request' | 'response';
  readonly version: number;
  readonly bytes: Uint8Array;
}

// Versions 1, 3 and 4 were decoded by kafka-clients 4.2.0 with no byte left.
const table: readonly (readonly [GoldenFrame['side'], number, string])[] = [
  ['request', 0, '00000019 0020 0000 00000001 0003 61646d 00000001 02 0001 74 ffffffff'],
  ['request', 1, '0000001a 0020 0001 00000001 0003 61646d 00000001 02 0001 74 ffffffff 01'],
  ['request', 3, '0000001b 0020 0003 00000001 0003 61646d 00000001 02 0001 74 ffffffff 01 00'],
  ['request', 4, '00000017 0020 0004 00000001 0003 61646d 00 02 02 0274 00 00 01 00 00'],
  ['response', 0, '00000021 00000001 00000000 00000001 0000 ffff 02 000174 00000001 00016b 000176 00 01 00'],
  ['response', 1, '0000002c 00000001 00000000 00000001 0000 ffff 02 000174 00000001 00016b 000176 00 01 00 00000001 00016b 000176 01'],
  [
    'response',
    3,
    '0000002f 00000001 00000000 00000001 0000 ffff 02 000174 00000001 00016b 000176 00 01 00 00000001 00016b 000176 01 05 ffff',
  ],
  ['response', 4, '00000024 00000001 00 00000000 02 0000 00 02 0274 02 026b 0276 00 01 00 02 026b 0276 01 00 05 00 00 00 00'],
];

/** Golden frames of DescribeConfigs. */
export const goldenFrames: readonly GoldenFrame[] = table.map(([side, version, hex]) => ({
  side,
  version,
  bytes: Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex')),
}));
