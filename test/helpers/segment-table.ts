import type { Diagnostic } from '../../src/diagnostics.ts';
import { Checksum, type Segment, TcpFlag } from '../../src/net/segment.ts';
import { Reassembler, type ReassemblerLimits } from '../../src/tcp/reassembler.ts';
import type { StreamSink, TcpConnection } from '../../src/tcp/stream-sink.ts';
import { internetSum } from '../../src/wire/checksum.ts';
import { packetOf } from './packets.ts';

/** Initial sequence numbers of the two sides; rows count from them. */
export interface TableOptions {
  clientIsn?: number;
  serverIsn?: number;
  limits?: Partial<ReassemblerLimits>;
  /** What checksums say where a row doesn't tell. */
  checksum?: Checksum;
  /** Bytes nobody looks at. */
  wants?: boolean;
  /** The only bytes of each direction that are wanted: offsets, half-open. */
  wanted?: readonly [from: number, to: number];
  /** The sink ignores the connection once this was passed on. */
  ignoreAfter?: string;
}

/**
 * Runs rows of segments through a reassembler and tells what came out, as rows.
 *
 * A row: `>` from the client or `<` from the server, the sequence number relative to the ISN, then in any order: the payload (lower case
 * letters, or `x*100`), flags in capitals, `ack=N` (without it, the end of what the other side sent so far), `noack`, `cut=N` (payload bytes captured), `bad`
 * (wrong checksum), `t=N` (seconds; without it a millisecond after the row before), `port=N` (another client), `file=N`, `isn=N` (changes the
 * sender's ISN from here on).
 *
 * What comes out: `>abc` bytes in one row a run, `>gap 3`, `>skip 3`, `>missing 3 of 9` (which were skipped 9 bytes ago), `>snaplen 3`, `>conflict 3`, `>end`, `closed`, each led by `#stream` where it isn't 0.
 */
export function reassemble(rows: readonly string[], options: TableOptions = {}): string[] {
  return run(rows, options).events;
}

/** The same, with diagnostics, the packets of each event, and the reassembler. */
export function run(rows: readonly string[], options: TableOptions = {}) {
  const recorder = new Recorder(options);
  const diagnostics: Diagnostic[] = [];
  const reassembler = new Reassembler(
    { open: (connection) => recorder.open(connection) },
    { report: (diagnostic) => diagnostics.push(diagnostic) },
    options.limits,
  );
  const parser = new RowParser(options);
  for (const row of rows) {
    const segment = parser.parse(row);
    reassembler.segment(segment);
    // The bytes are borrowed: whoever kept them sees this.
    segment.bytes.fill(0x21);
    recorder.afterRow();
  }
  const openAtEnd = recorder.events.length;
  reassembler.end();
  return { events: recorder.events, openAtEnd, diagnostics, reassembler, packets: recorder.packets, eventsAfter: recorder.eventsAfter };
}

class Recorder {
  readonly events: string[] = [];
  /** Packet number of each event. */
  readonly packets: number[] = [];
  /** How many events there were after each row. */
  readonly eventsAfter: number[] = [];
  readonly #options: TableOptions;
  #passed = '';

  constructor(options: TableOptions) {
    this.#options = options;
  }

  afterRow(): void {
    this.eventsAfter.push(this.events.length);
  }

  open(connection: TcpConnection): StreamSink {
    const stream = connection.stream === 0 ? '' : `#${connection.stream} `;
    const side = (direction: number) => `${stream}${connection.endpoint(direction as 0 | 1).endsWith(':9092') ? '<' : '>'}`;
    const note = (text: string, packet: number) => {
      this.events.push(text);
      this.packets.push(packet);
    };
    const ignores = () => this.#options.ignoreAfter !== undefined && this.#passed.includes(this.#options.ignoreAfter);
    const come = [0, 0];
    const count = (direction: 0 | 1, length: number) => {
      come[direction] = (come[direction] ?? 0) + length;
    };
    return {
      data: (direction, bytes, start, end, position) => {
        count(direction, end - start);
        const text = Buffer.from(bytes.subarray(start, end)).toString('latin1');
        this.#passed += text;
        const last = this.events.length - 1;
        const run = this.events[last];
        if (
          run?.startsWith(side(direction)) === true &&
          !run.includes(' ', side(direction).length) &&
          !run.endsWith('>end') &&
          !run.endsWith('<end')
        ) {
          this.events[last] = run + text;
        } else note(side(direction) + text, position.number);
      },
      gap: (direction, length, cause, position) => {
        count(direction, length);
        note(`${side(direction)}${cause} ${length}`, position.number);
      },
      suspect: (direction, finding, length, position) => note(`${side(direction)}${finding} ${length}`, position.number),
      skip: (direction, length) => {
        count(direction, length);
        note(`${side(direction)}skip ${length}`, 0);
      },
      missing: (direction, length, before, position) => note(`${side(direction)}missing ${length} of ${before}`, position.number),
      wants: (direction, length) => {
        const { wanted, wants } = this.#options;
        const at = come[direction] ?? 0;
        return wanted === undefined ? wants !== false : at < wanted[1] && at + length > wanted[0];
      },
      end: (direction) => note(`${side(direction)}end`, 0),
      close: (cause) => note(`${stream}${cause}`, 0),
      get ignoring() {
        return ignores();
      },
    };
  }
}

class RowParser {
  readonly #options: TableOptions;
  readonly #isn: { '>': number; '<': number };
  readonly #sent = { '>': 0, '<': 0 };
  #number = 0;
  #nanos = 0;

  constructor(options: TableOptions) {
    this.#options = options;
    this.#isn = { '>': options.clientIsn ?? 1000, '<': options.serverIsn ?? 5000 };
  }

  parse(row: string): Segment {
    const [from, seqText, ...words] = row.split(' ') as ['>' | '<', string, ...string[]];
    const to = from === '>' ? '<' : '>';
    const valueIn = (name: string) => words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1);
    const isn = valueIn('isn');
    if (isn !== undefined) {
      this.#isn[from] = Number(isn);
      this.#sent[from] = 0;
    }
    const flags = words
      .filter((word) => /^[A-Z]+$/.test(word))
      .reduce((sum, flag) => sum | TcpFlag[flag.toLowerCase() as keyof typeof TcpFlag], 0);
    const payload = payloadOf(words);
    const seq = Number(seqText);
    const ack = Number(valueIn('ack') ?? this.#sent[to]);
    const acknowledges = !words.includes('noack') && !(flags === TcpFlag.syn && valueIn('ack') === undefined && from === '>');
    const length = payload.length + ((flags & (TcpFlag.syn | TcpFlag.fin)) === 0 ? 0 : 1);
    this.#sent[from] = Math.max(this.#sent[from], seq + length);
    return this.#segment(from, words, payload, {
      seq: (this.#isn[from] + seq) | 0,
      ack: acknowledges ? (this.#isn[to] + ack) | 0 : 0,
      flags: flags | (acknowledges ? TcpFlag.ack : 0),
      cut: Number(valueIn('cut') ?? payload.length),
      port: Number(valueIn('port') ?? 51234),
      capture: Number(valueIn('file') ?? 0),
      seconds: valueIn('t'),
    });
  }

  #segment(
    from: '>' | '<',
    words: readonly string[],
    payload: string,
    facts: { seq: number; ack: number; flags: number; cut: number; port: number; capture: number; seconds: string | undefined },
  ): Segment {
    this.#nanos = facts.seconds === undefined ? this.#nanos + 1_000_000 : Number(facts.seconds) * 1e9;
    const bytes = Uint8Array.from(Buffer.from(`..${payload}`, 'latin1'));
    const checksum = words.includes('bad') ? Checksum.wrong : (this.#options.checksum ?? Checksum.right);
    const ends =
      from === '>'
        ? { source3: 1, destination3: 2, sourcePort: facts.port, destinationPort: 9092 }
        : { source3: 2, destination3: 1, sourcePort: 9092, destinationPort: facts.port };
    return {
      packet: packetOf(bytes, {
        number: ++this.#number,
        capture: facts.capture,
        seconds: 1000 + Math.floor(this.#nanos / 1e9),
        nanos: this.#nanos % 1e9,
      }),
      ipVersion: 4,
      source0: 0,
      source1: 0,
      source2: 0,
      destination0: 0,
      destination1: 0,
      destination2: 0,
      ...ends,
      seq: facts.seq,
      ack: facts.ack,
      flags: facts.flags,
      window: 1000,
      bytes,
      start: 2,
      end: 2 + facts.cut,
      payloadLength: payload.length,
      payloadSum: () => internetSum(bytes, 2, 2 + facts.cut),
      checksum: () => (facts.cut < payload.length ? Checksum.unknown : checksum),
    };
  }
}

function payloadOf(words: readonly string[]): string {
  return words
    .filter((word) => /^[a-z]+$|^[a-z]+\*\d+$/.test(word) && word !== 'noack' && word !== 'bad')
    .map((word) => {
      const [text = '', count = '1'] = word.split('*');
      return text.repeat(Number(count));
    })
    .join('');
}
