// Loaded into the daemon that is measured, hence no TypeScript: stripping types would cost memory of its own.
// At SIGUSR2 everything that nobody needs any more is collected, and what is left of the heap is printed.
process.on('SIGUSR2', async () => {
  const [{ setFlagsFromString }, { runInNewContext }] = await Promise.all([
    import('node:v8'),
    import('node:vm'),
  ]);
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  for (let round = 0; round < 3; round += 1) collect();
  const { heapUsed, external } = process.memoryUsage();
  process.stdout.write(`${JSON.stringify({ msg: 'collected', heapBytes: heapUsed + external })}\n`);
});
