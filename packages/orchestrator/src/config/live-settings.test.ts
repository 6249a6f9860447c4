import { describe, expect, it } from 'vitest';
import { createSettings } from './live-settings.ts';

describe('createSettings', () => {
  it('gives whoever asks the newest value, and tells everybody who listens of each change once [NX-352]', () => {
    const settings = createSettings({ concurrency: 1 });
    const heard: number[] = [];
    const listener = () => void heard.push(settings.current().concurrency);
    const stop = settings.subscribe(listener);
    const stopOther = settings.subscribe(listener);
    settings.replace({ concurrency: 2 });
    stop();
    settings.replace({ concurrency: 3 });
    stopOther();
    settings.replace({ concurrency: 4 });
    expect(heard).toEqual([2, 2, 3]);
    expect(settings.current()).toEqual({ concurrency: 4 });
  });
});
