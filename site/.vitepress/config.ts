import { readFileSync } from 'node:fs';
import { slug } from 'github-slugger';
import { defineConfig } from 'vitepress';

// Written by `src/stage-site.ts`, which is where the pages and their order come from.
const { base, sections } = JSON.parse(readFileSync(new URL('../.pages/site.json', import.meta.url), 'utf8'));

export default defineConfig({
  title: 'agent',
  description: 'Libraries and services that keep a coding agent in step with the people it works for.',
  base,
  srcDir: '.pages',
  outDir: 'dist',
  cacheDir: '.cache',
  cleanUrls: true,
  // Documents are Markdown alone, and their anchors are those that forges make.
  markdown: { html: false, anchor: { slugify: slug } },
  locales: {
    root: { label: 'English', lang: 'en' },
    ja: { label: '日本語', lang: 'ja', link: '/ja/' },
  },
  themeConfig: {
    sidebar: sections,
    outline: [2, 3],
    i18nRouting: false,
    search: { provider: 'local' },
  },
});
