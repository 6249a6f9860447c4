// Loaded into the daemon that is measured, hence no TypeScript: stripping types would cost memory of its own.
// At SIGUSR2 everything that nobody needs any more is collected, and what is left of the heap is printed.
process.on('SIGUSR2', async () => {
  const [{ getHeapSpaceStatistics, setFlagsFromString }, { runInNewContext }] = await Promise.all([
    import('node:v8'),
    import('node:vm'),
  ]);
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  for (let round = 0; round < 3; round += 1) {
    collect();
    // What is told of the end of objects, such as of signals, lets go of more.
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed, external } = process.memoryUsage();
  // Programs as V8 keeps them, of which there is more the more often they ran.
  const spaces = getHeapSpaceStatistics().filter(({ space_name: name }) => /^(code|trusted)_/.test(name));
  const codeBytes = spaces.reduce((sum, { space_used_size: bytes }) => sum + bytes, 0);
  process.stdout.write(
    `${JSON.stringify({ msg: 'collected', heapBytes: heapUsed + external, codeBytes })}\n`,
  );
});
