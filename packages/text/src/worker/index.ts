export {
  createTextWorker,
  type TextBatch,
  type TextWorker,
  type TextWorkerOptions,
} from './text-worker.ts';
