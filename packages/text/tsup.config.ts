import { defineConfig } from 'tsup';
import { libraryPreset } from '../../tsup.preset.ts';

export default defineConfig(
  libraryPreset({
    index: 'src/index.ts',
    'files/index': 'src/files/index.ts',
    'json/index': 'src/json/index.ts',
    locale: 'src/locale.ts',
    'outgoing/index': 'src/outgoing/index.ts',
    'outgoing/scan-patch-worker': 'src/outgoing/scan-patch-worker.ts',
    'secrets/index': 'src/secrets/index.ts',
    'check-options': 'src/check-options.ts',
    waiting: 'src/waiting.ts',
    'worker/index': 'src/worker/index.ts',
    'worker/clean-texts': 'src/worker/clean-texts.ts',
  }),
);
