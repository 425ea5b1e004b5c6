//! Verifies a delivery by the reference library for Rust: {"secret", "headers", "body"} in DELIVERY.
use http::{HeaderMap, HeaderName, HeaderValue};
use standardwebhooks::Webhook;

fn main() {
    let given: serde_json::Value = serde_json::from_str(&std::env::var("DELIVERY").unwrap()).unwrap();
    let body = given["body"].as_str().unwrap();
    let headers: HeaderMap = given["headers"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, value)| {
            let name = HeaderName::try_from(name.as_str()).unwrap();
            (name, HeaderValue::from_str(value.as_str().unwrap()).unwrap())
        })
        .collect();
    let webhook = Webhook::new(given["secret"].as_str().unwrap()).unwrap();
    webhook.verify(body.as_bytes(), &headers).unwrap();
    let event: serde_json::Value = serde_json::from_str(body).unwrap();
    println!("verified: {}", event["type"].as_str().unwrap());
}
