import type { PlatformThread, TaskKey } from '@agent/platforms';
import type { ThreadSource } from '@agent/platforms/sources';
import { createRequestMeter, type RequestMeter } from './request-meter.ts';
import type { ConfiguredPlatform } from './run.ts';

/** A run's thread: its ports, how it is heard, and what counts the requests of both. */
export interface OpenedThread {
  readonly ports: PlatformThread;
  readonly comments: ThreadSource;
  readonly meter: RequestMeter;
}

/** Makes no request itself. */
export function openRunThread({ platform, openSource }: ConfiguredPlatform, key: TaskKey): OpenedThread {
  const meter = createRequestMeter();
  const ports = platform.openThread(key, { onRequest: meter.onRequest });
  return { ports, comments: openSource(ports), meter };
}
