import test from 'ava';
import { Reporter } from '../../src/cli/reporter.ts';
import type { Diagnostic } from '../../src/diagnostics.ts';

function said(quiet: boolean, act: (reporter: Reporter) => void): string {
  let text = '';
  act(new Reporter({ captures: ['capture.pcap', 'b\u001b[31m.pcap'], quiet, write: (more) => (text += more) }));
  return text;
}

const connection = '10.0.0.2:9092 → 10.0.0.1:51234';

const lines: readonly (readonly [string, Diagnostic, string])[] = [
  [
    'position first, then what it is about, in words and numbers',
    {
      code: 'tcp-gap',
      message: '1448 bytes missing',
      capture: 0,
      packet: 1042,
      stream: 3,
      connection,
      side: 'server',
      streamOffset: 88120,
      bytes: 1448,
    },
    'kafka-dissect: warning: capture.pcap packet 1042: tcp-gap: 1448 bytes missing, 10.0.0.2:9092 → 10.0.0.1:51234, stream offset 88120\n',
  ],
  [
    'an offset where there is no packet',
    { code: 'capture-truncated', message: 'the file ends inside a record', capture: 0, fileOffset: 24 },
    'kafka-dissect: error: capture.pcap offset 24: capture-truncated: the file ends inside a record\n',
  ],
  [
    'a stream without its addresses, a path and a count',
    { code: 'body-malformed', message: 'negative length', stream: 7, path: 'results[0].configs', count: 3 },
    'kafka-dissect: warning: body-malformed: negative length, 3 times, stream 7, results[0].configs\n',
  ],
  [
    'nothing raw: file names, messages, line feeds',
    { code: 'not-kafka', message: 'SNI "a\nb\u009b\u202e"', capture: 1, packet: 1 },
    'kafka-dissect: warning: b\\u001b[31m.pcap packet 1: not-kafka: SNI "a\\u000ab\\u009b\\u202e"\n',
  ],
];

for (const [title, diagnostic, line] of lines)
  test(title, (t) =>
    t.is(
      said(false, (reporter) => reporter.report(diagnostic)),
      line,
    ),
  );

test('quiet leaves errors alone', (t) => {
  const text = said(true, (reporter) => {
    reporter.report({ code: 'tcp-gap', message: 'x', bytes: 1 });
    reporter.report({ code: 'api-versions-fallback', message: 'x' });
    reporter.suppressed('tcp-gap', 4);
    reporter.summary(['read 1 packet']);
    reporter.report({ code: 'capture-unreadable', message: 'no such file', capture: 0 });
  });
  t.is(text, 'kafka-dissect: error: capture.pcap: capture-unreadable: no such file\n');
});

test('the rest of a noisy kind is counted', (t) => {
  t.is(
    said(false, (reporter) => reporter.suppressed('tcp-gap', 12)),
    'kafka-dissect: warning: tcp-gap: 12 more like these, not shown\n',
  );
});
