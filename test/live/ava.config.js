/** The live tests alone, one file, and so one broker, at a time: `npm run test:live`. */
// biome-ignore lint/style/noDefaultExport: AVA asks for it
export default {
  files: ['test/live/*.live.ts'],
  typescript: { rewritePaths: { 'src/': 'dist/src/', 'test/': 'dist/test/' }, compile: false },
  concurrency: 1,
  timeout: '5m',
  // Signals reach processes only, and with them their children.
  workerThreads: false,
};
