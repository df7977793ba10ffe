/** Frame size limit where the user gives none: Kafka's own `socket.request.max.bytes`. A larger size ends the frame's stream. */
export const MAX_FRAME_BYTES = 104_857_600;
/** Bytes read from a capture at once. */
export const READ_BYTES = 1 << 20;
/** Largest captured length of a record that is believed (libpcap's MAXIMUM_SNAPLEN is 262,144; USB and loopback go further); beyond it the record is corrupt. */
export const MAX_RECORD_BYTES = 16 << 20;
/** Connections followed at once; beyond it the one silent for longest is given up, and named in the diagnostics. */
export const MAX_CONNECTIONS = 8_192;
/** Ended connections remembered, so that late copies of their packets don't open new ones; beyond it the oldest is forgotten. */
export const MAX_ENDED_CONNECTIONS = 8_192;
/** Segments kept for one direction while bytes before them are missing; beyond it the missing bytes are given up as a gap. */
export const MAX_HELD_BYTES = 16 << 20;
/** Their number, since each is put in its place among the others; beyond it the missing bytes are given up too. */
export const MAX_HELD_SEGMENTS = 8_192;
/** Held bytes over all connections. */
export const MAX_HELD_BYTES_TOTAL = 24 << 20;
/** Holes of one direction that were passed over, and may still be filled; beyond it the oldest is given up. */
export const MAX_SKIPPED_HOLES = 4_096;
/** A hole is given up once this much capture time and {@link WAIT_PACKETS} packets of its connection went by … */
export const WAIT_NANOS = 250_000_000;
export const WAIT_PACKETS = 32;
/** … or either of these alone. */
export const WAIT_NANOS_ALONE = 4_000_000_000;
export const WAIT_PACKETS_ALONE = 4_096;
/** Headers peeled off one packet, tags, labels and tunnels included; a packet with more is reported as malformed. */
export const MAX_HEADERS = 32;
/** IP datagrams kept while their fragments come in; beyond it the one begun first is given up and reported. */
export const MAX_FRAGMENTED_DATAGRAMS = 1024;
/** Memory for the fragments of all datagrams; beyond it the datagrams begun first are given up and reported. */
export const MAX_FRAGMENT_BYTES = 8 << 20;
/** Capture time from a datagram's first fragment to its last (RFC 8200, section 4.5); beyond it the datagram is given up and reported. */
export const MAX_FRAGMENT_SECONDS = 60;
/** Findings of one diagnostic code that are shown on stderr; the rest are counted, and their number is said at the end. */
export const DIAGNOSTICS_SHOWN_PER_CODE = 20;
/** Bytes of output collected before they are written. */
export const OUTPUT_FLUSH_BYTES = 1 << 16;
/** Bytes of one record collected before they are written, though the record goes on. */
export const OUTPUT_SPILL_BYTES = 1 << 20;
/** Most fields of one frame (a tape of 80 MiB; the configs of 7,000 topics with all their synonyms have as many): decoding stops there, and says so. */
export const MAX_TAPE_ENTRIES = 1 << 22;
/** Most tagged fields without a schema in one frame: decoding stops there, and says so. */
export const MAX_UNKNOWN_TAGS = 1 << 16;
/** Largest record believed while searching for the next good one after damage: libpcap's MAXIMUM_SNAPLEN. Larger ones are passed over. */
export const MAX_SEARCHED_RECORD_BYTES = 262_144;
/** Interfaces kept for one pcapng section; packets of later ones are reported as of an unknown interface. */
export const MAX_INTERFACES = 65_536;
/** Largest zstd window: what RFC 8878 asks of every decoder, and `zstd` needs up to level 19. A capture that needs more is to be decompressed first. */
export const MAX_ZSTD_WINDOW_BYTES = 8 << 20;
/** Compressed bytes inflated at once, and fewer where they swell: deflate makes up to 1,032 times as many of them, which is held in memory. */
export const INFLATE_BYTES = 1 << 15;
/** Bytes read at once of each of several captures that are merged: hundreds may be open. */
export const MERGED_READ_BYTES = 1 << 16;
/** Bytes of one direction searched at once for the next frame; beyond it the older half is passed over. */
export const SEEK_BYTES = 1 << 20;
/** Memory of all connections for bytes that are searched, frames that aren't whole and requests that wait; beyond it the connections silent for longest give theirs up, and say so. */
export const MAX_KEPT_BYTES = 32 << 20;
/** Bytes of one direction kept while it isn't known yet whether the connection speaks Kafka, and which side is the broker. */
export const UNDECIDED_BYTES = 64 << 10;
/** A connection begun before the capture that showed nothing like a request in so many bytes isn't Kafka. */
export const UNDECIDED_BYTES_IN_ALL = 16 << 20;
/** Requests of a connection that wait for their answers; beyond it the oldest is given up. */
export const MAX_PENDING_REQUESTS = 10_000;
/** Memory for them, but for the newest; beyond it the oldest is given up. */
export const MAX_PENDING_BYTES = 16 << 20;
/** Listener addresses of brokers, and clusters, that are remembered; servers beyond them are called by their addresses. */
export const MAX_BROKER_ADDRESSES = 10_000;
/** DescribeConfigs clients that `summary` tells apart, by client id; the requests of others are counted and reported. */
export const MAX_SUMMARY_CLIENTS = 10_000;
/** Addresses and principals of one client that are listed; others are left out, and reported. */
export const MAX_LISTED_PER_CLIENT = 1_000;
/** Request times kept of one client to find its busiest 60 seconds; a client busier than that is called as busy as that. */
export const MAX_WINDOW_REQUESTS = 1 << 20;
/** API keys whose times `summary` measures: more than Kafka has. Others, of those who send what is no API, are only counted. */
export const MAX_MEASURED_APIS = 128;
/** Rows of one type of `summary`, beside clients; further ones are counted and reported. */
export const MAX_SUMMARY_ROWS = 50_000;
/** Alterations and creations of topics that `summary` and `timeline` keep; further ones are counted and reported. */
export const MAX_WRITES = 50_000;
/** Memory for all that `summary`, `timeline` or `diff` keeps until its end (75,000 configs with short values, say); what comes beyond it is counted and reported. */
export const MAX_ANSWER_BYTES = 48 << 20;
/** Memory for the JSON of elements that were met before; beyond it all are forgotten. */
export const MAX_MEMO_BYTES = 12 << 20;
