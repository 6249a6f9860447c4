import { parentPort, workerData } from 'node:worker_threads';
import { type PatchScan, scanPatch } from './scan-patch.ts';

/** Looks through the patch that it was started with, and tells what it found. */
parentPort?.postMessage(await scanPatch(workerData as PatchScan));
