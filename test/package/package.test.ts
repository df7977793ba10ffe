import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

const execute = promisify(execFile);
const CAPTURE = resolve('captures', 'kafka2.8-franz-v4.pcap');

const folder = mkdtempSync(join(tmpdir(), 'kafka-dissect-package-'));
/** Where the package is installed as a user would install a command. */
const prefix = join(folder, 'prefix');
let tarball: string;

test.before(async (t) => {
  t.timeout(5 * 60_000);
  // What is built is packed as it is: a build would pull the files away from under other tests.
  const { stdout } = await execute('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder]);
  tarball = join(folder, stdout.trim());
  await execute('npm', [
    'install',
    '--global',
    '--prefix',
    prefix,
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    tarball,
  ]);
});

test.after.always(() => rmSync(folder, { recursive: true, force: true }));

test('publint has nothing to say of the package', async (t) => {
  const bytes = readFileSync(tarball);
  const { messages, pkg } = await publint({ pack: { tarball: new Uint8Array(bytes).buffer } });
  t.deepEqual(
    messages.map((message) => formatMessage(message, pkg)),
    [],
  );
});

test('its types are found by all who can import it', async (t) => {
  const words = ['--profile', 'esm-only', '--format', 'ascii', '--no-color', '--no-emoji', tarball];
  const { status, stdout } = spawnSync('node_modules/.bin/attw', words, { encoding: 'utf8' });
  t.is(status, 0, stdout);
});

test('neither it nor what it depends on has a script that is run when it is installed', async (t) => {
  const { stdout } = await execute(
    'npm',
    ['query', ':attr(scripts, [preinstall]), :attr(scripts, [install]), :attr(scripts, [postinstall])'],
    {
      cwd: join(prefix, 'lib', 'node_modules', 'kafka-dissect'),
    },
  );
  t.deepEqual(JSON.parse(stdout), []);
});

test('the installed command prints what this checkout prints, and Node has no complaints', async (t) => {
  const { stdout, stderr } = await execute(join(prefix, 'bin', 'kafka-dissect'), ['--quiet', '--format', 'tree', CAPTURE], {
    maxBuffer: 1 << 26,
  });
  t.is(stderr, '');
  t.is(stdout, readFileSync('test/golden/captures/kafka2.8-franz-v4.pcap.tree.txt', 'utf8'));
});

test('the installed manual page is what man shows', async (t) => {
  const page = join(prefix, 'share', 'man', 'man1', 'kafka-dissect.1');
  t.is(readFileSync(page, 'utf8'), readFileSync('bin/kafka-dissect.1', 'utf8'));
});

test('a TypeScript program imports the installed library with strict types', async (t) => {
  const program = join(prefix, 'lib', 'program');
  mkdirSync(program);
  writeFileSync(join(program, 'package.json'), '{"type":"module"}');
  writeFileSync(
    join(program, 'index.ts'),
    `import { dissect } from 'kafka-dissect';
for await (const exchange of dissect(process.argv[2] as string)) {
  const status: 'complete' | 'partial' | 'unanswered' = exchange.status;
  console.log(exchange.apiVersion, status);
}
`,
  );
  const typeRoots = [resolve('node_modules', '@types')];
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    module: 'nodenext',
    target: 'es2022',
    types: ['node'],
    typeRoots,
  };
  writeFileSync(join(program, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  const { stdout: complaints } = await execute('node_modules/.bin/tsc', ['--project', program]).catch((error) => error);
  t.is(complaints, '');
  const { stdout, stderr } = await execute(process.execPath, [join(program, 'index.js'), CAPTURE]);
  t.is(stderr, '');
  t.is(stdout, '4 complete\n'.repeat(8));
});
