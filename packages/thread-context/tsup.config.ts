import { defineConfig } from 'tsup';
import { libraryPreset } from '../../tsup.preset.ts';

export default defineConfig(
  libraryPreset({
    index: 'src/index.ts',
    'chat/index': 'src/chat/index.ts',
    'comment-handling-config': 'src/comment-handling-config.ts',
  }),
);
