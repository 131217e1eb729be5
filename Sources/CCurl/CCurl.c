#include "CCurl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

// The functions of libcurl that the transport calls: result, name, parameters, arguments.
#define FUNCTIONS(F) \
  F(void, curl_easy_cleanup, (CURL *a), (a)) \
  F(CURL *, curl_easy_init, (void), ()) \
  F(CURLcode, curl_easy_pause, (CURL *a, int b), (a, b)) \
  F(const char *, curl_easy_strerror, (CURLcode a), (a)) \
  F(CURLcode, curl_global_init, (long a), (a)) \
  F(CURLMcode, curl_multi_add_handle, (CURLM *a, CURL *b), (a, b)) \
  F(CURLMcode, curl_multi_cleanup, (CURLM *a), (a)) \
  F(CURLMsg *, curl_multi_info_read, (CURLM *a, int *b), (a, b)) \
  F(CURLM *, curl_multi_init, (void), ()) \
  F(CURLMcode, curl_multi_perform, (CURLM *a, int *b), (a, b)) \
  F(CURLMcode, curl_multi_poll, (CURLM *a, struct curl_waitfd *b, unsigned int c, int d, int *e), (a, b, c, d, e)) \
  F(CURLMcode, curl_multi_remove_handle, (CURLM *a, CURL *b), (a, b)) \
  F(CURLMcode, curl_multi_wakeup, (CURLM *a), (a)) \
  F(struct curl_slist *, curl_slist_append, (struct curl_slist *a, const char *b), (a, b)) \
  F(void, curl_slist_free_all, (struct curl_slist *a), (a)) \
  F(curl_version_info_data *, curl_version_info, (CURLversion a), (a))

#define POINTER(result, name, parameters, arguments) result(*name) parameters;
static struct { FUNCTIONS(POINTER) } libcurl;

// Hidden, because libcurl would otherwise call these functions in the place of its own.
#define FORWARD(result, name, parameters, arguments) \
  __attribute__((visibility("hidden"))) result name parameters { return libcurl.name arguments; }
FUNCTIONS(FORWARD)

CURLcode (*ccurl_setopt)(CURL *, CURLoption, ...);
CURLcode (*ccurl_getinfo)(CURL *, CURLINFO, ...);
CURLMcode (*ccurl_multi_setopt)(CURLM *, CURLMoption, ...);

static const char *fault;

static void load(void) {
  void *library = dlopen("libcurl.so.4", RTLD_NOW);
#define FIND(result, name, parameters, arguments) && (libcurl.name = dlsym(library, #name))
  bool isLoaded = library FUNCTIONS(FIND) && (ccurl_setopt = dlsym(library, "curl_easy_setopt"))
    && (ccurl_getinfo = dlsym(library, "curl_easy_getinfo"))
    && (ccurl_multi_setopt = dlsym(library, "curl_multi_setopt"));
  if (!isLoaded) fault = strdup(dlerror());
}

const char *ccurl_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return fault;
}
