/** What production does not start without. The key is as random as a real one, and in public: of use for tests alone. */
export const PRODUCTION = {
  ATRIUM_ENV: 'production',
  BASE_URL: 'https://atrium.example',
  SECRET_KEY: 'q7ZtR2vXk9LmW4sBfN8cHyD3pGjT6uAe1oKx5iVrQwM',
  SMTP_URL: 'smtp://127.0.0.1:1',
  EMBEDDED_DATABASE: 'true',
}
