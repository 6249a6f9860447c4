import { BroadcastChannel, workerData } from 'node:worker_threads';
import type { PatchScan } from '../src/outgoing/scan-patch.ts';

/** Never gets to the end of the last file, which it tells on the channel `endless-scan`. */
const { bytes, progress } = workerData as PatchScan;
Atomics.store(progress, 1, Buffer.from(bytes).lastIndexOf('diff --git '));
Atomics.store(progress, 0, 2);
new BroadcastChannel('endless-scan').postMessage(null);
for (;;);
