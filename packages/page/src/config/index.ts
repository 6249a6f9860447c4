export { type PageSettings, pageSchema } from './page-settings.ts';
