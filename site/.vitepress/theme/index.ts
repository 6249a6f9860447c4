// Without the Inter font that the theme brings: the reader's own fonts are lighter, and have Japanese.
import DefaultTheme from 'vitepress/theme-without-fonts';
import './site.css';

export default DefaultTheme;
