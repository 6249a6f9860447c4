import type { PlatformThread, TaskKey } from '@agent/platforms';
import type { HeardSource } from '@agent/platforms/sources';
import { createRequestMeter, type RequestMeter } from './request-meter.ts';
import type { ConfiguredPlatform } from './run.ts';

/** A run's thread: its ports, how it is heard, and what counts the requests of both. */
export interface OpenedThread {
  readonly ports: PlatformThread;
  readonly comments: HeardSource;
  readonly meter: RequestMeter;
}

/** Makes no request itself. */
export function openRunThread({ platform, hearing }: ConfiguredPlatform, key: TaskKey): OpenedThread {
  const meter = createRequestMeter();
  const ports = platform.openThread(key, { onRequest: meter.onRequest });
  return { ports, comments: hearing.listenTo(ports), meter };
}
