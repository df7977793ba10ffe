/** An IPv4 address from its big-endian word: `192.0.2.1`. */
export function ipv4Text(word: number): string {
  return `${word >>> 24}.${(word >>> 16) & 0xff}.${(word >>> 8) & 0xff}.${word & 0xff}`;
}

/**
 * An IPv6 address from its big-endian words as RFC 5952 wants it: lower case, no leading zeros, `::` for the longest run of two or more
 * zero groups (the first of equal ones), and an IPv4-mapped one as `::ffff:192.0.2.1`.
 */
export function ipv6Text(word0: number, word1: number, word2: number, word3: number): string {
  if (word0 === 0 && word1 === 0 && word2 === 0xffff) return `::ffff:${ipv4Text(word3)}`;
  const groups = [word0, word1, word2, word3].flatMap((word) => [word >>> 16, word & 0xffff]);
  const { start, length } = longestZeroRun(groups);
  const text = (part: readonly number[]) => part.map((group) => group.toString(16)).join(':');
  return length < 2 ? text(groups) : `${text(groups.slice(0, start))}::${text(groups.slice(start + length))}`;
}

/** An address as {@link ipv4Text} or {@link ipv6Text} give it, from the four words of a segment's source or destination. */
export function addressText(ipVersion: 4 | 6, word0: number, word1: number, word2: number, word3: number): string {
  return ipVersion === 4 ? ipv4Text(word3) : ipv6Text(word0, word1, word2, word3);
}

/** An address with its port: `192.0.2.1:51234`, `[2001:db8::1]:9092`. */
export function hostPort(ipVersion: 4 | 6, word0: number, word1: number, word2: number, word3: number, port: number): string {
  const address = addressText(ipVersion, word0, word1, word2, word3);
  return ipVersion === 4 ? `${address}:${port}` : `[${address}]:${port}`;
}

function longestZeroRun(groups: readonly number[]): { start: number; length: number } {
  let longest = { start: 0, length: 0 };
  let start = 0;
  groups.forEach((group, index) => {
    if (group !== 0) start = index + 1;
    else if (index + 1 - start > longest.length) longest = { start, length: index + 1 - start };
  });
  return longest;
}
