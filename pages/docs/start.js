// Starts the library that shows the API, with the description that the page names. It asks no other host.

const api = document.getElementById('api')

window.SwaggerUIBundle({
  domNode: api,
  url: new URL(api.dataset.description, document.baseURI).href,
  presets: [window.SwaggerUIBundle.presets.apis],
  layout: 'BaseLayout',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  // Otherwise documents of public addresses are sent to a service of the library's makers.
  validatorUrl: null,
})
